// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a variable alone behind the operator of a scan might be meant to take the total
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

__global__ void kernel(int* out) {
  const gpuprim::warp_tile<32> tile;
  int init = 0;
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::warp_exclusive_scan(tile, 1, gpuprim::plus{}, int(init));
#else
  *out = gpuprim::warp_exclusive_scan(tile, 1, gpuprim::plus{}, init);
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
