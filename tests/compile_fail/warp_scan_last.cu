// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: behind the operator of an inclusive scan stands a total_to or a running_prefix
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

__global__ void kernel(int* out) {
  const gpuprim::warp_tile<32> tile;
  int total = 0;
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::warp_inclusive_scan(tile, 1, gpuprim::plus{}, gpuprim::total_to{total});
#else
  *out = gpuprim::warp_inclusive_scan(tile, 1, gpuprim::plus{}, 7);
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
