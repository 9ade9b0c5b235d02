// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a scan by key or of segments has no total; reduce_by_key and segmented_reduce write those of its
//   parts
#include <gpuprim/scan.cuh>

cudaError_t call(const int* keys, const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::inclusive_scan_by_key(keys, in, 9, out, gpuprim::plus{});
#else
  return gpuprim::inclusive_scan_by_key(keys, in, 9, gpuprim::with_total(out, out + 9), gpuprim::plus{});
#endif
}
