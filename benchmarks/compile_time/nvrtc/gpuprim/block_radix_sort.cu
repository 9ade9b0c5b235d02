// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_radix_sort.cuh>

extern "C" __global__ void kernel(unsigned* data) {
  unsigned keys[4];
  for (int i = 0; i < 4; ++i) keys[i] = data[threadIdx.x * 4 + i];
  gpuprim::block_radix_sort<256>(gpuprim::this_block{}, keys, gpuprim::ascending);
  for (int i = 0; i < 4; ++i) data[threadIdx.x * 4 + i] = keys[i];
}
