// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts past 2^32, the same bits in every run, and CUB as a further oracle. Needs a GPU with 24 GB of memory.
#include "../../support/device_scan_check.cuh"

#include <thrust/device_vector.h>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

namespace {

__global__ void fill(unsigned char* values, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) values[i] = i % 5 == 0;
}

/// Counts results that are not the number of multiples of 5 up to their place.
__global__ void count_wrong(const unsigned* results, std::int64_t n, unsigned long long* wrong) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    if (results[i] != unsigned(i / 5 + 1)) atomicAdd(wrong, 1ull);
  }
}

struct ones : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t) const { return 1; }
};
/// Offsets of one segment of 100 values.
struct first_hundred : gpuprim::detail::input_iterator_types<std::int64_t> {
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return 100 * i; }
};

template <class T, class Op, class CubOp>
void compare_with_cub(int n, Op op, CubOp cub_op, T start) {
  CAPTURE(n);
  const auto count = std::int64_t(n);
  const auto room = static_cast<std::size_t>(n);
  test::device_array<T> in(test::make_values<T>(n)), out(room), cub_out(room);
  std::size_t bytes = 0;
  CUDA_OK(cub::DeviceScan::ExclusiveScan(nullptr, bytes, in.data(), cub_out.data(), cub_op, start, count));
  test::device_array<char> temporary(bytes);
  CUDA_OK(cub::DeviceScan::ExclusiveScan(temporary.data(), bytes, in.data(), cub_out.data(), cub_op, start, count));
  CUDA_OK(gpuprim::exclusive_scan(in.data(), n, out.data(), op, start));
  CHECK(bool(out.download() == cub_out.download()));
}

}  // namespace

TEST_CASE("A scan of more than 2^32 elements", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 32) + 3;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 5 * std::size_t(n) + (1u << 30)) SKIP("the GPU has too little memory");
  unsigned char* in = nullptr;
  unsigned* out = nullptr;
  CUDA_OK(cudaMalloc(&in, std::size_t(n)));
  CUDA_OK(cudaMalloc(&out, std::size_t(n) * sizeof(unsigned)));
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  fill<<<1024, 256>>>(in, n);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(gpuprim::inclusive_scan(in, n, out, gpuprim::plus{}));
  count_wrong<<<1024, 256>>>(out, n, wrong.data());
  CUDA_OK(cudaGetLastError());
  CHECK(wrong.download()[0] == 0);
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
}

TEST_CASE("A segment that ends more than 2^32 values before the last", "[device][gpu]") {
  test::device_array<int> out(100);
  const gpuprim::segment_offsets<first_hundred> by{{}, std::int64_t{1} << 33};
  CUDA_OK(gpuprim::segmented_inclusive_scan(ones{}, by, 1, out.data(), gpuprim::plus{}));
  const auto got = out.download();
  CHECK((got[0] == 1 && got[99] == 100));
  out.check_guards();
}

TEST_CASE("Scans agree with CUB", "[device][gpu]") {
  for (int n : {1, 1000, 100000, 1 << 20, 3000001, 40000003}) {
    compare_with_cub<int>(n, gpuprim::plus{}, cuda::std::plus<>{}, 3);
    compare_with_cub<std::int64_t>(n, gpuprim::plus{}, cuda::std::plus<>{}, 3);
    compare_with_cub<test::affine>(n, test::then{}, test::then{}, test::affine{1, 0});
  }
}

TEST_CASE("Scans of floats have the same bits in every run", "[device][gpu]") {
  cudaStream_t other;
  CUDA_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  test::device_array<float> load(test::make_values<float>(1 << 22)), sum(1);
  for (int n : {100003, 1000003, 50000017}) {
    std::vector<float> values;
    for (int i = 0; i < n; ++i) values.push_back(1.0f / float(1 + test::scramble(std::uint64_t(i)) % 1000));
    test::device_array<float> in(values), out(static_cast<std::size_t>(n));
    std::vector<float> first;
    for (int run = 0; run < (n > 10000000 ? 20 : 100); ++run) {
      for (int i = 0; i < run % 4; ++i) {  // the load of another stream
        CUDA_OK(gpuprim::reduce(load.data(), 1 << 22, sum.data(), gpuprim::plus{}, {.stream = other}));
      }
      CUDA_OK(gpuprim::inclusive_scan(in.data(), n, out.data(), gpuprim::plus{}));
      const auto got = out.download();
      if (run == 0) first = got;
      else REQUIRE(std::memcmp(got.data(), first.data(), got.size() * sizeof(float)) == 0);
    }
  }
  CUDA_OK(cudaStreamDestroy(other));
}

TEST_CASE("Scans read and write Thrust's iterators", "[device][gpu]") {
  thrust::device_vector<int> in(6000, 1), out(6000);
  CUDA_OK(gpuprim::inclusive_scan(in.begin(), 6000, out.begin(), gpuprim::plus{}));
  CHECK(out[0] == 1);
  CHECK(out[5999] == 6000);
}
