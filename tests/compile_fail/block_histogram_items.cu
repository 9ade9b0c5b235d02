// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_histogram: items that are not integers need a function that finds their bin
#include <gpuprim/histogram.cuh>

__global__ void kernel(unsigned* out) {
  GPUPRIM_SHARED(counts, unsigned[8]);
#if defined(GPUPRIM_TEST_CONTROL)
  const int items[] = {1, 2};
#else
  const float items[] = {1, 2};
#endif
  gpuprim::block_histogram(gpuprim::this_block{}, items, counts);
  *out = counts[0];
}

cudaError_t call(unsigned* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
