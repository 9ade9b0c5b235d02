// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_load: the input must be a pointer or a random-access iterator
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  int values[] = {1, 2};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_load<64>(gpuprim::this_block{}, out, values);
#else
  gpuprim::block_load<64>(gpuprim::this_block{}, *out, values);
#endif
  *out = values[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
