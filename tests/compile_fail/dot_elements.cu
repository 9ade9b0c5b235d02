// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::dot: the elements must be numbers; transform_reduce takes any type
#include <gpuprim/dot.cuh>

struct complex_number {
  float re, im;
};

#if defined(GPUPRIM_TEST_CONTROL)
using element = float;
#else
using element = complex_number;
#endif

cudaError_t call(const element* in, float* out) { return gpuprim::dot(in, in, 9, out); }
