// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/block/block_reduce.cuh>

extern "C" __global__ void kernel(float* data) {
  __shared__ cub::BlockReduce<float, 256>::TempStorage storage;
  const float sum = cub::BlockReduce<float, 256>(storage).Sum(data[threadIdx.x]);
  if (threadIdx.x == 0) data[0] = sum;
}
