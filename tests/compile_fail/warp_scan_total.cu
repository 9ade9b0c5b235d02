// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the variable of a scan's total_to must have the type of the values
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

__global__ void kernel(int* out) {
  const gpuprim::warp_tile<32> tile;
  long total = 0;
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::warp_exclusive_scan(tile, 1, gpuprim::plus{}, int(total));
#else
  *out = gpuprim::warp_exclusive_scan(tile, 1, gpuprim::plus{}, gpuprim::total_to{total});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
