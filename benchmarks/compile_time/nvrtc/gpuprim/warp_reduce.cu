// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_reduce.cuh>

extern "C" __global__ void kernel(float* data) {
  data[threadIdx.x] = gpuprim::warp_reduce(gpuprim::warp_tile<32>{}, data[threadIdx.x], gpuprim::plus{});
}
