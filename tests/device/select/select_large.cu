// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts past 2^32, and CUB as a further oracle. Needs a GPU with 16 GB of memory.
#include "../../support/select_check.cuh"

#include <thrust/device_vector.h>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

namespace {

__global__ void fill(unsigned char* values, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    values[i] = static_cast<unsigned char>(i % 251);
  }
}
/// Counts values below 250 that are not in the order of `fill`.
__global__ void count_wrong(const unsigned char* values, std::int64_t n, unsigned long long* wrong) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    if (values[i] != i % 250) atomicAdd(wrong, 1ull);
  }
}

struct is_below_250 {
  GPUPRIM_HOST_DEVICE bool operator()(unsigned char x) const { return x < 250; }
};

/// `cub_call(storage, bytes, in, out, count)` and `call(in, out, count)` of n values.
template <class T, class CubCall, class Call>
void compare_with_cub(int n, const CubCall& cub_call, const Call& call) {
  CAPTURE(n);
  const auto room = static_cast<std::size_t>(n);
  test::device_array<T> in(test::make_values<T>(n)), out(room), cub_out(room);
  test::device_array<std::int64_t> count(1), cub_count(1);
  std::size_t bytes = 0;
  CUDA_OK(cub_call(nullptr, bytes, in.data(), cub_out.data(), cub_count.data()));
  test::device_array<char> temporary(bytes);
  CUDA_OK(cub_call(temporary.data(), bytes, in.data(), cub_out.data(), cub_count.data()));
  CUDA_OK(call(in.data(), out.data(), count.data()));
  CHECK(count.download() == cub_count.download());
  CHECK(bool(out.download() == cub_out.download()));
  out.check_guards();
}

}  // namespace

TEST_CASE("A select of more than 2^32 elements", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 32) + 3;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 2 * std::size_t(n) + (1u << 30)) SKIP("the GPU has too little memory");
  unsigned char *in = nullptr, *out = nullptr;
  CUDA_OK(cudaMalloc(&in, std::size_t(n)));
  CUDA_OK(cudaMalloc(&out, std::size_t(n)));
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  const std::int64_t want = n / 251 * 250 + n % 251;
  for (unsigned char* to : {out, in}) {
    fill<<<1024, 256>>>(in, n);
    CUDA_OK(cudaGetLastError());
    CHECK(gpuprim::select_if_count(in, n, to, is_below_250{}) == want);
    count_wrong<<<1024, 256>>>(to, want, wrong.data());
    CUDA_OK(cudaGetLastError());
    CHECK(wrong.download()[0] == 0);
  }
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
}

TEST_CASE("Selects agree with CUB", "[device][gpu]") {
  const test::in_percent half{50};
  for (int n : {1, 1000, 100000, 1 << 20, 3000001, 40000003}) {
    compare_with_cub<int>(
        n,
        [&](void* storage, std::size_t& bytes, auto in, auto out, auto count) {
          return cub::DeviceSelect::If(storage, bytes, in, out, count, n, half);
        },
        [&](auto in, auto out, auto count) { return gpuprim::select_if(in, n, out, count, half); });
    compare_with_cub<test::affine>(
        n,
        [&](void* storage, std::size_t& bytes, auto in, auto out, auto count) {
          return cub::DevicePartition::If(storage, bytes, in, out, count, n, half);
        },
        [&](auto in, auto out, auto count) { return gpuprim::partition_if(in, n, out, count, half); });
    compare_with_cub<short>(
        n,
        [&](void* storage, std::size_t& bytes, auto in, auto out, auto count) {
          return cub::DeviceSelect::Unique(storage, bytes, in, out, count, n);
        },
        [&](auto in, auto out, auto count) { return gpuprim::unique(in, n, out, count); });
  }
}

namespace {

struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

// [before]
cudaError_t keep_even_by_cub(const int* in, int n, int* out, int* count, cudaStream_t stream) {
  std::size_t bytes = 0;
  void* storage = nullptr;
  cudaError_t error = cub::DeviceSelect::If(nullptr, bytes, in, out, count, n, is_even{}, stream);
  if (error == cudaSuccess) error = cudaMallocAsync(&storage, bytes, stream);
  if (error == cudaSuccess) error = cub::DeviceSelect::If(storage, bytes, in, out, count, n, is_even{}, stream);
  if (storage == nullptr) return error;
  const cudaError_t freed = cudaFreeAsync(storage, stream);
  return error == cudaSuccess ? freed : error;
}
// [before]

// [after]
cudaError_t keep_even(const int* in, int n, int* out, int* count, cudaStream_t stream) {
  return gpuprim::select_if(in, n, out, count, is_even{}, {.stream = stream});
}
// [after]

}  // namespace

TEST_CASE("A function that calls CUB and one that replaces it", "[device][gpu]") {
  constexpr int n = 100003;
  const auto values = test::make_values<int>(n);
  const test::device_array<int> in(values);
  test::device_array<int> before(std::vector<int>(n, 0)), after(std::vector<int>(n, 0)), count(std::vector<int>(2, 0));
  CUDA_OK(keep_even_by_cub(in.data(), n, before.data(), count.data(), nullptr));
  CUDA_OK(keep_even(in.data(), n, after.data(), count.data() + 1, nullptr));
  const auto counts = count.download();
  CHECK(counts[0] > 0);
  CHECK(counts[0] == counts[1]);
  CHECK(bool(before.download() == after.download()));
}

TEST_CASE("Selects in place under load", "[device][gpu]") {
  constexpr int n = 3000017;
  const auto values = test::make_values<int>(n);
  std::vector<int> want;
  for (int x : values) {
    if (test::in_percent{90}(x)) want.push_back(x);
  }
  test::device_array<int> in(values);
  for (int run = 0; run < 50; ++run) {
    in.upload(values);
    CHECK(gpuprim::select_if_count(in.data(), n, in.data(), test::in_percent{90}) == std::int64_t(want.size()));
    auto got = in.download();
    got.resize(want.size());
    REQUIRE(bool(got == want));
  }
}

TEST_CASE("Selects read and write Thrust's iterators", "[device][gpu]") {
  thrust::device_vector<int> in(6000, 2), out(6000), count(1);
  CUDA_OK(gpuprim::select_if(in.begin(), 6000, out.begin(), count.begin(), test::in_percent{100}));
  CHECK(count[0] == 6000);
  CHECK(out[5999] == 2);
}
