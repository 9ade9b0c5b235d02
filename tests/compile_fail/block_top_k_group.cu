// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_top_k: the group must be a thread block
#include <gpuprim/top_k.cuh>

__global__ void kernel(const float* in, bool* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  const gpuprim::this_block group;
#else
  const gpuprim::warp_tile<32> group;
#endif
  const float keys[1] = {in[threadIdx.x]};
  bool taken[1];
  gpuprim::block_top_k<32>(group, keys, 3, taken);
  out[threadIdx.x] = taken[0];
}
