// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::histogram: the input must be a pointer or a random-access iterator
#include <gpuprim/histogram.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using input = const float*;
#else
using input = float;
#endif

cudaError_t call(input in, unsigned* counts) {
  return gpuprim::histogram(in, 9, counts, gpuprim::even_bins{10, 0.0f, 1.0f});
}
