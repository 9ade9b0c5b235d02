// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int;
#else
using output = long long;
#endif

cudaError_t call(const int* in, output* out) { return gpuprim::sort(in, 100, out); }
