// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the input must be a pointer or a random-access iterator
#include <gpuprim/segmented_reduce.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using input = const int*;
#else
using input = int;
#endif

cudaError_t call(input in, int* out) {
  return gpuprim::segmented_reduce(in, gpuprim::fixed_length{4}, 9, out, gpuprim::plus{}, 0);
}
