// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/statistics.cuh>

cudaError_t call(const float* in, long long n, float* out) { return gpuprim::norm_infinity(in, n, out); }
