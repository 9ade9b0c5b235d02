// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the initial value must convert to the accumulator type
#include <gpuprim/reduce.cuh>

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce(in, 9, out, gpuprim::plus{}, 0);
#else
  return gpuprim::reduce(in, 9, out, gpuprim::plus{}, nullptr);
#endif
}
