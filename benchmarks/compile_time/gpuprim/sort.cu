// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/sort.cuh>

cudaError_t call(const unsigned* in, long long n, unsigned* out) { return gpuprim::sort(in, n, out); }
