// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::histogram: the counts must be a pointer to integers of 32 or 64 bits
#include <gpuprim/histogram.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using counter = unsigned long long;
#else
using counter = float;
#endif

cudaError_t call(const float* in, counter* counts) {
  return gpuprim::histogram(in, 9, counts, gpuprim::even_bins{10, 0.0f, 1.0f});
}
