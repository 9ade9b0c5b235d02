// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_sort: the offsets must be a pointer to, or a random-access iterator over, integers
#include <gpuprim/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using offset = int;
#else
using offset = float;
#endif

cudaError_t call(const float* keys, const offset* offsets, float* sorted) {
  return gpuprim::segmented_sort(keys, gpuprim::segment_offsets{offsets, 90}, 9, sorted);
}
