// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/search.cuh>

cudaError_t call(const float* in, long long n, bool* out) { return gpuprim::is_sorted(in, n, out); }
