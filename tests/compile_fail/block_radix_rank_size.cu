// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_radix_rank: BlockSize must be a multiple of 32, and each digit needs a thread
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/sort.cuh>

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  constexpr int bits = 7;
#else
  constexpr int bits = 8;
#endif
  const unsigned digits[] = {1, 2};
  int ranks[2];
  *out = gpuprim::block_radix_rank<128, bits>(gpuprim::this_block{}, digits, ranks) + ranks[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 128, nullptr, out); }
