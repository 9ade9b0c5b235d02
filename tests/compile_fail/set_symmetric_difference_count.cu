// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::set_symmetric_difference: the output of the count must take an integer
#include <gpuprim/merge.cuh>

cudaError_t call(const int* a, int* out, int count) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::set_symmetric_difference(a, 1, a, 1, out, &count);
#else
  return gpuprim::set_symmetric_difference(a, 1, a, 1, out, count);
#endif
}
