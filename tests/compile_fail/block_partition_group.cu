// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_partition: the group must be a thread block
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
  const auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::block_partition<64>(block, true).place;
#else
  *out = gpuprim::block_partition<64>(cg::tiled_partition<32>(block), true).place;
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
