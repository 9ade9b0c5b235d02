// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
