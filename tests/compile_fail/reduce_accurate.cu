// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: accurate is a way to add; the operator must be gpuprim::plus
#include <gpuprim/statistics.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using op = gpuprim::plus<>;
#else
using op = gpuprim::maximum<>;
#endif

cudaError_t call(const float* in, float* out) { return gpuprim::reduce(gpuprim::accurate, in, 9, out, op{}, 0.0f); }
