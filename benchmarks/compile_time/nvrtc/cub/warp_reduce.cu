// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/warp/warp_reduce.cuh>

extern "C" __global__ void kernel(float* data) {
  __shared__ cub::WarpReduce<float>::TempStorage storage;
  data[threadIdx.x] = cub::WarpReduce<float>(storage).Sum(data[threadIdx.x]);
}
