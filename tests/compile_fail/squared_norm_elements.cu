// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::squared_norm: the elements must be numbers; transform_reduce takes any type
#include <gpuprim/dot.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using element = float;
#else
struct element {
  float re, im;
};
#endif

cudaError_t call(const element* in, float* out) { return gpuprim::squared_norm(in, 9, out); }
