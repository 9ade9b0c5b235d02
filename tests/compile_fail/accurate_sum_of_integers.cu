// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::accurate_sum: the elements must be floating-point numbers; sums of integers are exact
#include <gpuprim/statistics.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using number = float;
#else
using number = int;
#endif

cudaError_t call(const number* in, number* out) { return gpuprim::accurate_sum(in, 9, out); }
