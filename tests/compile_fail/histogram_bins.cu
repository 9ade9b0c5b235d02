// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::histogram: the bins must be even_bins or bin_ranges
#include <gpuprim/histogram.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using bins = gpuprim::even_bins<float>;
#else
struct bins {
  int count;
  float lower, upper;
};
#endif

cudaError_t call(const float* in, unsigned* counts) { return gpuprim::histogram(in, 9, counts, bins{10, 0.0f, 1.0f}); }
