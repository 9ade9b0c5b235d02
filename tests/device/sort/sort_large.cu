// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts past 2^32, and CUB as a further oracle. Needs a GPU with 24 GB of memory.
#include <gpuprim/device/segmented_sort.cuh>

#include "../../support/radix_sort_check.cuh"

#include <thrust/device_vector.h>
#include <cub/device/device_radix_sort.cuh>

namespace {

__global__ void fill(unsigned char* keys, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    keys[i] = static_cast<unsigned char>(i % 256);
  }
}
/// Counts keys that are not where a sort of what `fill` has written has them. The first values have one key more.
__global__ void count_wrong(const unsigned char* keys, std::int64_t n, unsigned long long* wrong) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  const std::int64_t each = n / 256, rest = n % 256, longer = rest * (each + 1);
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const std::int64_t want = i < longer ? i / (each + 1) : rest + (i - longer) / each;
    if (keys[i] != want) atomicAdd(wrong, 1ull);
  }
}

template <class Key>
void compare_with_cub(int n, test::key_kind kind) {
  CAPTURE(n, int(kind), sizeof(Key));
  const auto keys = test::make_keys<Key>(n, kind);
  std::vector<int> numbers(keys.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  test::device_array<Key> in(keys), out(keys.size()), alone(keys.size()), cub_out(keys.size());
  test::device_array<int> values(numbers), values_out(keys.size()), cub_values(keys.size());
  std::size_t bytes = 0;
  const auto cub_call = [&](void* storage) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in.data(), cub_out.data(), values.data(), cub_values.data(),
                                           n);
  };
  CUDA_OK(cub_call(nullptr));
  test::device_array<char> temporary(bytes);
  CUDA_OK(cub_call(temporary.data()));
  CUDA_OK(gpuprim::sort_pairs(in.data(), values.data(), n, out.data(), values_out.data()));
  CUDA_OK(gpuprim::sort(in.data(), n, alone.data()));
  const auto want = cub_out.download();
  const auto is_same = [&](const std::vector<Key>& got) {  // NaN too
    return std::memcmp(got.data(), want.data(), want.size() * sizeof(Key)) == 0;
  };
  CHECK(is_same(out.download()));
  // Keys alone have -0 before +0, which CUB's sort leaves as they come.
  std::vector<Key> in_order = keys;
  using whole = gpuprim::detail::whole_digits<Key, gpuprim::sort_direction::ascending>;
  std::sort(in_order.begin(), in_order.end(), [](Key a, Key b) { return whole{}.store(a) < whole{}.store(b); });
  const auto got = alone.download();
  CHECK(std::memcmp(got.data(), in_order.data(), in_order.size() * sizeof(Key)) == 0);
  CHECK(bool(values_out.download() == cub_values.download()));
  out.check_guards();
  alone.check_guards();
  values_out.check_guards();
}

}  // namespace

TEST_CASE("A sort of more than 2^32 keys", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 32) + 3;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 4 * std::size_t(n) + (2u << 30)) SKIP("the GPU has too little memory");
  unsigned char *in = nullptr, *out = nullptr;
  CUDA_OK(cudaMalloc(&in, std::size_t(n)));
  CUDA_OK(cudaMalloc(&out, std::size_t(n)));
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  for (unsigned char* to : {out, in}) {
    fill<<<1024, 256>>>(in, n);
    CUDA_OK(cudaGetLastError());
    CUDA_OK(gpuprim::sort(in, n, to));
    count_wrong<<<1024, 256>>>(to, n, wrong.data());
    CUDA_OK(cudaGetLastError());
    CHECK(wrong.download()[0] == 0);
  }
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
}

TEST_CASE("Sorts of pairs of a segment of more than 2^32 keys", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 32) + 1003, first = 500;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 9 * std::size_t(n) + (2u << 30)) SKIP("the GPU has too little memory");
  unsigned char *in = nullptr, *out = nullptr, *values = nullptr;
  CUDA_OK(cudaMalloc(&in, std::size_t(n)));
  CUDA_OK(cudaMalloc(&out, std::size_t(n)));
  CUDA_OK(cudaMalloc(&values, std::size_t(n)));
  const std::vector<std::int64_t> offsets{0, first, n};
  test::device_array<std::int64_t> where(offsets);
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  for (std::size_t i = 0; i < 2; ++i) fill<<<1024, 256>>>(in + offsets[i], offsets[i + 1] - offsets[i]);
  CUDA_OK(cudaGetLastError());
  // Each key is its own value, so that both outputs are sorted.
  const gpuprim::segment_offsets segments{where.data(), n};
  CUDA_OK(gpuprim::segmented_sort_pairs(in, static_cast<const unsigned char*>(in), segments, 2, out, values));
  for (const unsigned char* sorted : {out, values}) {
    for (std::size_t i = 0; i < 2; ++i) {
      count_wrong<<<1024, 256>>>(sorted + offsets[i], offsets[i + 1] - offsets[i], wrong.data());
    }
    CUDA_OK(cudaGetLastError());
    CHECK(wrong.download()[0] == 0);
  }
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaFree(values));
}

TEST_CASE("Sorts of a segment of more than 2^32 keys", "[device][large][gpu]") {
  const std::int64_t n = (std::int64_t{1} << 32) + 1003, first = 500;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 6 * std::size_t(n) + (2u << 30)) SKIP("the GPU has too little memory");
  unsigned char *in = nullptr, *out = nullptr;
  CUDA_OK(cudaMalloc(&in, std::size_t(n)));
  CUDA_OK(cudaMalloc(&out, std::size_t(n)));
  const std::vector<std::int64_t> offsets{0, first, n};
  test::device_array<std::int64_t> where(offsets);
  test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
  for (unsigned char* to : {out, in}) {
    for (std::size_t i = 0; i < 2; ++i) fill<<<1024, 256>>>(in + offsets[i], offsets[i + 1] - offsets[i]);
    CUDA_OK(cudaGetLastError());
    CUDA_OK(gpuprim::segmented_sort(in, gpuprim::segment_offsets{where.data(), n}, 2, to));
    for (std::size_t i = 0; i < 2; ++i) {
      count_wrong<<<1024, 256>>>(to + offsets[i], offsets[i + 1] - offsets[i], wrong.data());
    }
    CUDA_OK(cudaGetLastError());
    CHECK(wrong.download()[0] == 0);
  }
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
}

TEST_CASE("Sorts agree with CUB", "[device][gpu]") {
  for (int n : {1, 1000, 5000, 40000, 131072, 131073, 1 << 20, 3000001, 70000001}) {
    compare_with_cub<unsigned>(n, test::key_kind::random);
    compare_with_cub<float>(n, test::key_kind::random);
  }
  for (const auto kind : {test::key_kind::few_distinct, test::key_kind::all_equal, test::key_kind::extreme}) {
    compare_with_cub<double>(500000, kind);
    compare_with_cub<short>(500000, kind);
  }
}

TEST_CASE("Sorts give the same result in every run under load", "[device][gpu]") {
  constexpr int n = 3000017;
  const auto keys = test::make_keys<unsigned>(n, test::key_kind::few_distinct);
  const auto at = test::sort_positions(keys, [](unsigned key) { return key; }, gpuprim::sort_direction::ascending);
  test::device_array<unsigned> in(keys), out(keys.size());
  test::device_array<int> values(keys.size());
  for (int run = 0; run < 50; ++run) {
    CUDA_OK(gpuprim::sort_pairs(in.data(), gpuprim::positions<int>{}, n, out.data(), values.data()));
    REQUIRE(bool(values.download() == at));
  }
}

TEST_CASE("Sorts read and write Thrust's iterators", "[device][gpu]") {
  thrust::device_vector<int> keys(6000), sorted(6000);
  for (int i = 0; i < 6000; ++i) keys[std::size_t(i)] = 5999 - i;
  CUDA_OK(gpuprim::sort(keys.begin(), 6000, sorted.begin()));
  CHECK(sorted[0] == 0);
  CHECK(sorted[5999] == 5999);
  CUDA_OK(gpuprim::sort(keys.begin(), 6000, keys.begin(), gpuprim::ascending.bits(0, 8)));  // one pass, in place
  CHECK(keys[0] == 5888);
}
