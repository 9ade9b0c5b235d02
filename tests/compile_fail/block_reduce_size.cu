// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_reduce: a block has 1 to 1024 threads
#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
  auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::block_reduce<1024>(block, 1, gpuprim::plus{});
#else
  *out = gpuprim::block_reduce<2048>(block, 1, gpuprim::plus{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
