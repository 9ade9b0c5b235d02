// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_transpose: the group must be a warp_tile or thread_block_tile of up to 32 lanes
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  int values[] = {1, 2};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::warp_blocked_to_striped(gpuprim::warp_tile<8>{}, values);
#else
  gpuprim::warp_blocked_to_striped(gpuprim::this_block{}, values);
#endif
  *out = values[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
