// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::adjacent_difference_in_place: the elements must be an array
#include <gpuprim/scan.cuh>
#include <gpuprim/transform.cuh>

cudaError_t call(float* array) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::adjacent_difference_in_place(array, 9);
#else
  return gpuprim::adjacent_difference_in_place(gpuprim::permuted(array, gpuprim::positions<int>{}), 9);
#endif
}
