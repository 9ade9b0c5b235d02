// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_with_memory: the memory must be aligned to 16 bytes, as a block_storage is
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/launch/launch.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using word = uint4;
#else
using word = unsigned;
#endif

__global__ void kernel(int* out) {
  GPUPRIM_SHARED(memory, word[1024]);
  const gpuprim::block_with_memory block(memory);
  *out = gpuprim::block_inclusive_scan<1024>(block, 1, gpuprim::plus{});
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 1024, nullptr, out); }
