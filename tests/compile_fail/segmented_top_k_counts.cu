// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_top_k: k must be an integer or k_of_segments{counts, most}
#include <gpuprim/top_k.cuh>

cudaError_t f(const float* in, const int* counts, float* out) {
  const gpuprim::fixed_length where{100};
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_top_k(in, where, 3, gpuprim::k_of_segments{counts, 10}, out);
#else
  return gpuprim::segmented_top_k(in, where, 3, counts, out);
#endif
}
