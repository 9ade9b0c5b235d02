// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the input must be a pointer or a random-access iterator
#include <gpuprim/reduce.cuh>

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce(in, 9, out, gpuprim::plus{}, 0);
#else
  return gpuprim::reduce(9, 9, out, gpuprim::plus{}, *in);
#endif
}
