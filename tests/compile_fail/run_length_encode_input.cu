// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::run_length_encode: the input must be a pointer or a random-access iterator
#include <gpuprim/reduce_by_key.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using input = const int*;
#else
struct input {};
#endif

cudaError_t call(input in, int* out) { return gpuprim::run_length_encode(in, 9, out, out, out); }
