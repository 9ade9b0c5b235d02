// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort of 32 values, one in each lane: fifteen exchanges by shuffle, no memory. Good as the leaf of a larger
// sort, for medians and for the few best of many.
// Source: Batcher, "Sorting networks and their applications".
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <vector>

// [sort]
__device__ int sort_in_warp(int mine) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned size = 2; size <= 32; size *= 2) {  // runs of `size` lanes become sorted, up and down by turns
    const bool upwards = (lane & size) == 0;        // the last run, the whole warp, goes up
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const int other = __shfl_xor_sync(0xffffffffu, mine, int(stride));
      const int smaller = other < mine ? other : mine, larger = other < mine ? mine : other;
      const bool is_lower_lane = (lane & stride) == 0;
      mine = is_lower_lane == upwards ? smaller : larger;
    }
  }
  return mine;
}
// [sort]

__global__ void sort_groups(int* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int mine = i < n ? data[i] : INT_MAX;  // all lanes take part; the padding ends up last
  const int sorted = sort_in_warp(mine);
  if (i < n) data[i] = sorted;
}

int main() {
  constexpr int n = 10007, block_size = 128;
  std::vector<int> values(n), got(n);
  for (int i = 0; i < n; ++i) values[i] = int(unsigned(i) * 2654435761u) % 1000;  // with signs, some of them equal
  values[1] = values[n - 1] = INT_MAX;                                            // the same as the padding
  int* data = nullptr;
  cudaError_t e = cudaMalloc(&data, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMemcpy(data, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    e = gpuprim::launch(sort_groups, (n + block_size - 1) / block_size, block_size, nullptr, data, n);
  }
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost);
  (void)cudaFree(data);
  for (int start = 0; start < n; start += 32) {
    std::sort(values.begin() + start, values.begin() + (start + 32 < n ? start + 32 : n));
  }
  const bool right = got == values;
  std::printf("%d values in groups of 32: %s (%s)\n", n, right ? "sorted" : "wrong", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
