// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_radix_rank: the type of the ranks does not hold the number of the last item
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/sort.cuh>

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  unsigned short digits[] = {1, 2};
#else
  unsigned char digits[] = {1, 2};
#endif
  *out = gpuprim::block_radix_rank<256, 8>(gpuprim::this_block{}, digits, digits) + digits[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 256, nullptr, out); }
