// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_load: to be striped over warps, BlockSize must be a multiple of 32
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  int values[] = {1, 2};
#if defined(GPUPRIM_TEST_CONTROL)
  constexpr int size = 64;
#else
  constexpr int size = 48;
#endif
  gpuprim::block_load<size, gpuprim::tile_transfer::warp_transposed>(gpuprim::this_block{}, out, values);
  *out = values[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
