// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts past 2^32, and CUB as a further oracle. Needs a GPU with 10 GB of memory.
#include "../../support/run_check.cuh"

#include <thrust/device_vector.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cuda/std/functional>

namespace {

__global__ void fill(unsigned char* keys, unsigned char* values, std::int64_t n, int log2_run) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    keys[i] = static_cast<unsigned char>(i >> log2_run & 1);
    values[i] = i % 5 == 0;
  }
}

void check_large(std::int64_t n, int log2_run) {
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < 2 * std::size_t(n) + (1u << 30)) SKIP("the GPU has too little memory");
  unsigned char *keys = nullptr, *values = nullptr;
  CUDA_OK(cudaMalloc(&keys, std::size_t(n)));
  CUDA_OK(cudaMalloc(&values, std::size_t(n)));
  fill<<<1024, 256>>>(keys, values, n, log2_run);
  CUDA_OK(cudaGetLastError());
  const std::int64_t run = std::int64_t{1} << log2_run, runs = (n + run - 1) / run;
  test::device_array<unsigned char> unique(static_cast<std::size_t>(runs));
  test::device_array<std::int64_t> lengths(static_cast<std::size_t>(runs)), sums(static_cast<std::size_t>(runs)),
      count(2);
  CUDA_OK(gpuprim::run_length_encode(keys, n, unique.data(), lengths.data(), count.data()));
  CUDA_OK(gpuprim::reduce_by_key<std::int64_t>(keys, values, n, unique.data(), sums.data(), count.data() + 1,
                                               gpuprim::plus{}));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaFree(keys));
  CUDA_OK(cudaFree(values));
  CHECK(count.download() == std::vector<std::int64_t>{runs, runs});
  std::vector<std::int64_t> want_lengths, want_sums;
  for (std::int64_t i = 0; i < n; i += run) {
    const std::int64_t end = i + run < n ? i + run : n;
    want_lengths.push_back(end - i);
    want_sums.push_back((end + 4) / 5 - (i + 4) / 5);
  }
  CHECK(lengths.download() == want_lengths);
  CHECK(sums.download() == want_sums);
  lengths.check_guards();
  sums.check_guards();
}

/// Keys of which about one in `rarity` differs from the one before.
void compare_with_cub(int n, unsigned rarity) {
  CAPTURE(n, rarity);
  std::vector<int> keys;
  for (int i = 0, key = 0; i < n; ++i) keys.push_back(key += test::scramble(std::uint64_t(i)) % rarity == 0);
  const auto values = test::make_values<float>(n);
  const auto room = static_cast<std::size_t>(n);
  test::device_array<int> in(keys), unique(room), cub_unique(room), lengths(room), cub_lengths(room), runs(4);
  test::device_array<float> in_values(values), sums(room), cub_sums(room);
  std::size_t bytes = 0, encode_bytes = 0;
  CUDA_OK(cub::DeviceReduce::ReduceByKey(nullptr, bytes, in.data(), cub_unique.data(), in_values.data(),
                                         cub_sums.data(), runs.data(), cuda::std::plus<>{}, n));
  CUDA_OK(cub::DeviceRunLengthEncode::Encode(nullptr, encode_bytes, in.data(), cub_unique.data(), cub_lengths.data(),
                                             runs.data() + 1, n));
  test::device_array<char> temporary(bytes), encode_temporary(encode_bytes);
  CUDA_OK(cub::DeviceReduce::ReduceByKey(temporary.data(), bytes, in.data(), cub_unique.data(), in_values.data(),
                                         cub_sums.data(), runs.data(), cuda::std::plus<>{}, n));
  CUDA_OK(cub::DeviceRunLengthEncode::Encode(encode_temporary.data(), encode_bytes, in.data(), cub_unique.data(),
                                             cub_lengths.data(), runs.data() + 1, n));
  CUDA_OK(gpuprim::reduce_by_key(in.data(), in_values.data(), n, unique.data(), sums.data(), runs.data() + 2,
                                 gpuprim::plus{}));
  CUDA_OK(gpuprim::run_length_encode(in.data(), n, unique.data(), lengths.data(), runs.data() + 3));
  const auto counts = runs.download();
  CHECK(counts == std::vector<int>(4, counts[0]));
  CHECK(unique.download() == cub_unique.download());  // behind the runs both hold what they were poisoned with
  CHECK(sums.download() == cub_sums.download());
  CHECK(lengths.download() == cub_lengths.download());
}

}  // namespace

TEST_CASE("Passes over runs of more than 2^32 elements", "[device][large][gpu]") {
  check_large((std::int64_t{1} << 32) + 5, 20);
  check_large((std::int64_t{1} << 32) + 5, 33);  // one run
}

TEST_CASE("Passes over runs agree with CUB", "[device][gpu]") {
  for (int n : {1, 1000, 100000, 3000001}) {
    for (unsigned rarity : {1u, 2u, 13u, 1000u, 100000u}) compare_with_cub(n, rarity);
  }
}

TEST_CASE("reduce_by_key reads and writes Thrust's iterators", "[device][gpu]") {
  const std::vector<int> lengths(2000, 3);
  const auto keys = test::make_runs<int>(lengths);
  thrust::device_vector<int> in(keys.begin(), keys.end()), ones(6000, 1), unique(2000), sums(2000), runs(1);
  CUDA_OK(gpuprim::reduce_by_key(in.begin(), ones.begin(), 6000, unique.begin(), sums.begin(), runs.begin(),
                                 gpuprim::plus{}));
  CHECK(runs[0] == 2000);
  CHECK(sums == thrust::device_vector<int>(2000, 3));
}
