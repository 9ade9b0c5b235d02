// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

cudaError_t call(const float* in, long long n, float* out) { return gpuprim::reverse(in, n, out); }
