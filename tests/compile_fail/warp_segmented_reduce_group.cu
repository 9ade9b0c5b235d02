// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_segmented_reduce: the group must be a warp_tile or thread_block_tile of up to 32 lanes
#include <gpuprim/reduce.cuh>
#include <gpuprim/segmented_reduce.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
#else
  const auto group = cg::coalesced_threads();
#endif
  *out = gpuprim::warp_segmented_reduce(group, 1, true, gpuprim::plus{});
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
