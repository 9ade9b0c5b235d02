// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_top_k: the segments must be fixed_length{length}, segment_offsets{offsets, n} or
//   segment_bounds{begins, ends, n}
#include <gpuprim/top_k.cuh>

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  const gpuprim::fixed_length where{100};
#else
  const int where = 100;
#endif
  return gpuprim::segmented_top_k(in, where, 5, 3, out);
}
