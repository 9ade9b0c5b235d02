// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::histogram: the levels must be numbers
#include <gpuprim/histogram.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using level = double;
#else
struct level {};
#endif

cudaError_t call(const float* in, const level* levels, unsigned* counts) {
  return gpuprim::histogram(in, 9, counts, gpuprim::bin_ranges{levels, 10});
}
