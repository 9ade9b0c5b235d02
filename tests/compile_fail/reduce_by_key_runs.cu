// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce_by_key: the third output must take a count
#include <gpuprim/reduce_by_key.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int*;
#else
using output = const int*;
#endif

cudaError_t call(const int* in, int* to, output out) {
  return gpuprim::reduce_by_key(in, in, 9, to, to, out, gpuprim::plus{});
}
