// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_sort: say where segments are by segment_offsets, segment_bounds or fixed_length
#include <gpuprim/sort.cuh>

cudaError_t call(const float* keys, const int* offsets, float* sorted) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_sort(keys, gpuprim::segment_offsets{offsets, 90}, 9, sorted);
#else
  return gpuprim::segmented_sort(keys, offsets, 9, sorted);
#endif
}
