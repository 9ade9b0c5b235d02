// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_append: what is wanted is told by a flag for each value
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ gpuprim::append_queue<int> queue(int* out) { return {out, 64, nullptr}; }

__global__ void kernel(int* out) {
  const auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_append<64>(block, queue(out), 1, true);
#else
  gpuprim::block_append<64>(block, queue(out), 1, queue(out));
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
