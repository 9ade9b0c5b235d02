// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_exchange: the values of the block must fit in 48 KiB of shared memory
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  int values[48] = {};
#else
  int values[200] = {};
#endif
  gpuprim::block_striped_to_blocked<64>(gpuprim::this_block{}, values);
  *out = values[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
