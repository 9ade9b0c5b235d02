// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_reduce.cuh>

extern "C" __global__ void kernel(float* data) {
  const float sum = gpuprim::block_reduce<256>(gpuprim::this_block{}, data[threadIdx.x], gpuprim::plus{});
  if (threadIdx.x == 0) data[0] = sum;
}
