// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_scan: the offsets must be a pointer to, or a random-access iterator over, integers
#include <gpuprim/scan.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using offset = int;
#else
using offset = float;
#endif

cudaError_t call(const float* in, const offset* offsets, float* out) {
  return gpuprim::segmented_inclusive_scan(in, gpuprim::segment_offsets{offsets, 90}, 9, out, gpuprim::plus{});
}
