// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_scan.cuh>

extern "C" __global__ void kernel(float* data) {
  data[threadIdx.x] = gpuprim::block_inclusive_scan<256>(gpuprim::this_block{}, data[threadIdx.x], gpuprim::plus{});
}
