// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::sort: the output must be an array of keys
#include <gpuprim/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int;
#else
using output = long long;
#endif

cudaError_t call(const int* in, output* out) { return gpuprim::sort(in, 100, out); }
