// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::gather: the indices must be integers
#include <gpuprim/transform.cuh>

cudaError_t call(const float* in, const int* index, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::gather(in, index, 9, out);
#else
  return gpuprim::gather(in, in, 9, out);
#endif
}
