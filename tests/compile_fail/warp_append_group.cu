// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_append: the group must be a tile of at most 32 lanes or a coalesced group
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ gpuprim::append_queue<int> queue(int* out) { return {out, 64, nullptr}; }

__global__ void kernel(int* out) {
  const auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::warp_append(cg::tiled_partition<32>(block), queue(out), 1, true);
#else
  gpuprim::warp_append(block, queue(out), 1, true);
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
