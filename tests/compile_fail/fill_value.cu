// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::fill: the value must convert to the element type
#include <gpuprim/transform.cuh>

cudaError_t call(float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::fill(out, 9, 1);
#else
  return gpuprim::fill(out, 9, &out);
#endif
}
