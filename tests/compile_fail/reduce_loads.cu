// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: LoadsPerThread must be 1, 2, 4, 8 or 16
#include <gpuprim/reduce.cuh>

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce<gpuprim::plus<int>, 256, 4>(in, 9, out);
#else
  return gpuprim::reduce<gpuprim::plus<int>, 256, 3>(in, 9, out);
#endif
}
