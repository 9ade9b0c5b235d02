// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much the L2 cache fetches from memory for one sector of 32 bytes that is missed: cudaLimitMaxL2FetchGranularity
// asks for 32, 64 or 128 bytes, and the GPU takes it as a hint. Reads of 4 bytes that lie 32, 64, 128 or 256 bytes
// apart show what is fetched: as long as two reads share a fetch, the time of a read grows with their distance, and at
// a distance of one fetch it no longer doubles. It may go on growing after that, for reasons that this does not
// separate.
// GPU only: the SIMT device has no caches.
// Source: "Device Limits" in NVIDIA's "CUDA Runtime API".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, reads = 8;

// [kernel]
__global__ void read_apart(const unsigned* in, int distance, int n, unsigned* sums) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < reads; ++k) {
    const int i = thread + k * threads;
    if (i < n) sum += in[std::int64_t(i) * distance];
  }
  sums[thread] = sum;
}
// [kernel]

int main(int count, char** arguments) {
  const int words = size_to_run(count, arguments, usual_size(1 << 16, 1 << 28));
  std::vector<unsigned> values;
  for (int i = 0; i < words; ++i) values.push_back(unsigned(i) * 2654435761u);
  const device_array<unsigned> in(values);
  std::size_t before = 0;
  check(cudaDeviceGetLimit(&before, cudaLimitMaxL2FetchGranularity));
  std::printf("the limit was %d bytes\n", int(before));
  bool right = true;
  for (int granularity : {32, 64, 128}) {
    check(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, std::size_t(granularity)));
    std::size_t got = 0;
    check(cudaDeviceGetLimit(&got, cudaLimitMaxL2FetchGranularity));
    std::printf("asked for %d bytes, got %d:", granularity, int(got));
    for (int distance : {8, 16, 32, 64}) {  // words
      const int n = words / distance, blocks = blocks_for(n, block_size * reads);
      const device_array<unsigned> sums(std::size_t(blocks) * block_size);
      sums.poison();
      const double us = time_us([&] { read_apart<<<blocks, block_size>>>(in.data(), distance, n, sums.data()); });
      unsigned sum = 0, want = 0;
      for (unsigned x : sums.on_host()) sum += x;
      for (int i = 0; i < n; ++i) want += values[std::size_t(i) * distance];
      right &= sum == want;
      std::printf(" %d bytes apart %s a read;", 4 * distance, figure(1e6 * us / n, "ps").c_str());
    }
    std::printf("\n");
  }
  check(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, before));
  return verdict(right);
}
