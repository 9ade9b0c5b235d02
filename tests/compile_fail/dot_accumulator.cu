// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::dot: the accumulator type must be a number
#include <gpuprim/dot.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using accumulator = double;
#else
using accumulator = double*;
#endif

cudaError_t call(const float* in, accumulator* out) { return gpuprim::dot<accumulator>(in, in, 9, out); }
