// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_sort: the output must be an array of keys
#include <gpuprim/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = float;
#else
using output = double;
#endif

cudaError_t call(const float* keys, output* sorted) {
  return gpuprim::segmented_sort(keys, gpuprim::fixed_length{10}, 9, sorted, gpuprim::descending);
}
