// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_reduce: the offsets must be a pointer to, or a random-access iterator over, integers of 32
//   or 64 bits
#include <gpuprim/segmented_reduce.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using offset = int;
#else
using offset = float;
#endif

cudaError_t call(const float* in, const offset* offsets, float* out) {
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{});
}
