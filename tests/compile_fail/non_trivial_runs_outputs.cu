// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::non_trivial_runs: the outputs must take positions, lengths and a count
#include <gpuprim/reduce_by_key.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int*;
#else
using output = const int*;
#endif

cudaError_t call(const int* in, int* to, output out) { return gpuprim::non_trivial_runs(in, 9, to, out, to); }
