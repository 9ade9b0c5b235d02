// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_reduce: the output must take values of the accumulator type
#include <gpuprim/segmented_reduce.cuh>

cudaError_t call(const float* in, const int* offsets, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{});
#else
  return gpuprim::segmented_reduce(in, offsets, 9, static_cast<const float*>(out), gpuprim::plus{});
#endif
}
