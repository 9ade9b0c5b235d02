// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram: each block counts in bins of its own in shared memory and adds them to the result once. Good wherever
// many threads hit few counters: the global atomics fall from one a value to one a bin and block. The library has this
// as gpuprim::histogram (46_histogram.cu) and, in a kernel, gpuprim::block_histogram (48_in_kernel.cu).
// Source: Podlozhnyuk, "Histogram calculation in CUDA".
#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <vector>

constexpr int bins = 101;  // values from 0 to 100

// [kernel]
__global__ void count_values(const unsigned char* in, int n, unsigned* histogram) {
  GPUPRIM_SHARED(mine, unsigned[bins]);
  for (int bin = int(threadIdx.x); bin < bins; bin += int(blockDim.x)) mine[bin] = 0;
  __syncthreads();
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x)) {
    if (in[i] < bins) atomicAdd(&mine[in[i]], 1u);  // a value outside the bins must not write past them
  }
  __syncthreads();
  for (int bin = int(threadIdx.x); bin < bins; bin += int(blockDim.x)) {
    if (mine[bin] != 0) atomicAdd(&histogram[bin], mine[bin]);
  }
}
// [kernel]

int main() {
  constexpr int n = 30011, blocks = 8, block_size = 128;
  std::vector<unsigned char> values(n);
  std::vector<unsigned> got(bins), want(bins);
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<unsigned char>((unsigned(i) * 2654435761u >> 16) % 111u);  // some are outside
    if (values[i] < bins) ++want[values[i]];
  }
  unsigned char* in = nullptr;
  unsigned* histogram = nullptr;
  cudaError_t e = cudaMalloc(&in, n);
  if (e == cudaSuccess) e = cudaMalloc(&histogram, bins * sizeof(unsigned));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemset(histogram, 0, bins * sizeof(unsigned));
  if (e == cudaSuccess) e = gpuprim::launch(count_values, blocks, block_size, nullptr, in, n, histogram);
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), histogram, bins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  (void)cudaFree(in);
  (void)cudaFree(histogram);
  const bool right = got == want;
  std::printf("%d values in %d bins, at most %d global atomics: %s (%s)\n", n, bins, blocks * bins,
              right ? "right" : "wrong", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
