// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/block/block_radix_sort.cuh>

extern "C" __global__ void kernel(unsigned* data) {
  __shared__ cub::BlockRadixSort<unsigned, 256, 4>::TempStorage storage;
  unsigned keys[4];
  for (int i = 0; i < 4; ++i) keys[i] = data[threadIdx.x * 4 + i];
  cub::BlockRadixSort<unsigned, 256, 4>(storage).Sort(keys);
  for (int i = 0; i < 4; ++i) data[threadIdx.x * 4 + i] = keys[i];
}
