// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_histogram: the group must be a thread block
#include <gpuprim/histogram.cuh>

__global__ void kernel(unsigned* out) {
  GPUPRIM_SHARED(counts, unsigned[8]);
  const int items[] = {1, 2};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_histogram(gpuprim::this_block{}, items, counts);
#else
  gpuprim::block_histogram(gpuprim::warp_tile<32>{}, items, counts);
#endif
  *out = counts[0];
}

cudaError_t call(unsigned* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
