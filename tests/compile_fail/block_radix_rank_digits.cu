// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_radix_rank: digits must be unsigned integers, and ranks integers
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/sort.cuh>

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  const unsigned digits[] = {1, 2};
#else
  const int digits[] = {1, 2};
#endif
  int ranks[2];
  *out = gpuprim::block_radix_rank<256, 8>(gpuprim::this_block{}, digits, ranks) + ranks[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 256, nullptr, out); }
