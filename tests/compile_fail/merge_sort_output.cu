// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::merge_sort: the output must be an array of the type of the elements
#include <gpuprim/device/merge_sort.cuh>

cudaError_t call(const int* in, int* out, long* wide) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::merge_sort(in, wide[0], out);
#else
  return gpuprim::merge_sort(in, out[0], wide);
#endif
}
