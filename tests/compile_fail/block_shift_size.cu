// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_shift: BlockSize must be from 1 to 1024
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  constexpr int size = 1024;
#else
  constexpr int size = 2048;
#endif
  *out = gpuprim::block_shift_up<size>(gpuprim::this_block{}, 1, 0);
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
