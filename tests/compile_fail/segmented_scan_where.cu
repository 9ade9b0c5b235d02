// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_scan: say where segments are by segment_offsets, segment_bounds or fixed_length
#include <gpuprim/scan.cuh>

cudaError_t call(const float* in, const int* offsets, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_inclusive_scan(in, gpuprim::segment_offsets{offsets, 90}, 9, out, gpuprim::plus{});
#else
  return gpuprim::segmented_inclusive_scan(in, offsets, 9, out, gpuprim::plus{});
#endif
}
