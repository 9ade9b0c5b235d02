// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::merge, merge_pairs, set_union, set_intersection, set_difference: both inputs must have elements of
//   one type
#include <gpuprim/merge.cuh>

cudaError_t call(const int* a, const long* b, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::merge(a, 1, a + b[0], 1, out);
#else
  return gpuprim::merge(a, 1, b, 1, out);
#endif
}
