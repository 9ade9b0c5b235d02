// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::scatter: the input must be a pointer or a random-access iterator
#include <gpuprim/transform.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using input = const int*;
#else
struct input {};
#endif

cudaError_t call(input in, const int* index, int* out) { return gpuprim::scatter(in, index, 9, out); }
