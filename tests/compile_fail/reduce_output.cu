// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the output must take a value of the result's type
#include <gpuprim/reduce.cuh>

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce(in, 9, out, gpuprim::plus{});
#else
  return gpuprim::reduce(in, 9, static_cast<const float*>(out), gpuprim::plus{});
#endif
}
