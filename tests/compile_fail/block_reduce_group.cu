// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_reduce: the group must be a thread block
#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
  auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::block_reduce<64>(block, 1, gpuprim::plus{});
#else
  *out = gpuprim::block_reduce<64>(cg::tiled_partition<32>(block), 1, gpuprim::plus{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
