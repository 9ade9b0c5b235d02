// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_compact: what is kept is told by a flag, and not by a predicate: call that
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  const auto is_kept = [](int x) { return x > 0; };  // converts to a pointer, and that to a bool
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::warp_compact(gpuprim::warp_tile<32>{}, 1, is_kept(1)).value;
#else
  *out = gpuprim::warp_compact(gpuprim::warp_tile<32>{}, 1, is_kept).value;
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
