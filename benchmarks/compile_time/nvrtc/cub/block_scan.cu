// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/block/block_scan.cuh>

extern "C" __global__ void kernel(float* data) {
  __shared__ cub::BlockScan<float, 256>::TempStorage storage;
  cub::BlockScan<float, 256>(storage).InclusiveSum(data[threadIdx.x], data[threadIdx.x]);
}
