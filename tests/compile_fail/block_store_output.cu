// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_store: the output must take values of the element type
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  const int values[] = {1, 2};
#if defined(GPUPRIM_TEST_CONTROL)
  int* to = out;
#else
  const int* to = out;
#endif
  gpuprim::block_store<64>(gpuprim::this_block{}, values, to);
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
