// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::sort, sort_pairs: the order must be gpuprim::ascending or gpuprim::descending, or its const
//   operator() must take two keys and say whether the first comes first
#include <gpuprim/sort.cuh>

struct nearer {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) { return a * a < b * b; }
};

cudaError_t call(const int* keys, const char* values, int* keys_out, char* values_out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::sort_pairs(keys, values, 100, keys_out, values_out, gpuprim::descending);
#else
  return gpuprim::sort_pairs(keys, values, 100, keys_out, values_out, nearer{});
#endif
}
