// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_exchange: the group must be a thread block
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  int values[] = {1, 2};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_blocked_to_striped<64>(gpuprim::this_block{}, values);
#else
  gpuprim::block_blocked_to_striped<64>(gpuprim::warp_tile<32>{}, values);
#endif
  *out = values[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
