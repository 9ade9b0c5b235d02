// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::non_trivial_runs: the input must be a pointer or a random-access iterator
#include <gpuprim/reduce_by_key.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using input = const int*;
#else
struct input {};
#endif

cudaError_t call(input in, int* out) { return gpuprim::non_trivial_runs(in, 9, out, out, out); }
