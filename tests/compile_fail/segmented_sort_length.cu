// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_sort, segmented_sort_pairs: the keys or the values are too long for the shared memory
#include <gpuprim/sort.cuh>

struct record {
#if defined(GPUPRIM_TEST_CONTROL)
  char text[206];
#else
  char text[400];
#endif
};

cudaError_t call(double* keys, record* values) {
  return gpuprim::segmented_sort_pairs(keys, values, gpuprim::fixed_length{50}, 9, keys, values);
}
