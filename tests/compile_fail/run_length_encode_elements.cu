// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::run_length_encode: the first output must take elements
#include <gpuprim/reduce_by_key.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int*;
#else
using output = const int*;
#endif

cudaError_t call(const int* in, int* to, output out) { return gpuprim::run_length_encode(in, 9, out, to, to); }
