// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::histogram: there are 1 to 16 channels, of which at least one and at most all are counted
#include <gpuprim/histogram.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
constexpr int channels = 3;
#else
constexpr int channels = 2;
#endif

cudaError_t call(const float* in, unsigned* counts) {
  const std::array three{counts, counts + 10, counts + 20};
  return gpuprim::histogram<channels>(in, 9, three, gpuprim::even_bins{10, 0.0f, 1.0f});
}
