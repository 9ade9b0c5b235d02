// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_compact: what is kept is told by a flag for each value
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
  const auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  const int values[] = {1, 2};
  const bool keep[] = {true, false};
  gpuprim::block_compact<64>(block, values, keep, out);
#else
  const int values[] = {1, 2};
  gpuprim::block_compact<64>(block, values, true, out);
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
