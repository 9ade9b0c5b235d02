// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::dot: the inputs must be pointers or random-access iterators
#include <gpuprim/dot.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using input = const float*;
#else
using input = float;
#endif

cudaError_t call(input in, float* out) { return gpuprim::dot(in, in, 9, out); }
