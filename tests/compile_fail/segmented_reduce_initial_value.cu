// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the initial value must convert to the accumulator type
#include <gpuprim/segmented_reduce.cuh>

cudaError_t call(const float* in, const int* offsets, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{}, 0);
#else
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{}, out);
#endif
}
