// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::histogram: 64-bit samples and levels must both be signed or both unsigned
#include <gpuprim/histogram.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using level = std::uint64_t;
#else
using level = std::int64_t;
#endif

cudaError_t call(const std::uint64_t* in, const level* levels, unsigned* counts) {
  return gpuprim::histogram(in, 9, counts, gpuprim::bin_ranges{levels, 10});
}
