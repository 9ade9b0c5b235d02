// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::histogram: the samples must be numbers
#include <gpuprim/histogram.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using sample = float;
#else
struct sample {
  float x;
};
#endif

cudaError_t call(const sample* in, unsigned* counts) {
  return gpuprim::histogram(in, 9, counts, gpuprim::even_bins{10, 0.0f, 1.0f});
}
