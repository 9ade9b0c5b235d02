// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_append: what is wanted is told by a flag, and not by a predicate: call that
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(gpuprim::append_queue<int> queue) {
  const auto is_wanted = [](int x) { return x > 0; };  // converts to a pointer, and that to a bool
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::warp_append(gpuprim::warp_tile<32>{}, queue, 1, is_wanted(1));
#else
  gpuprim::warp_append(gpuprim::warp_tile<32>{}, queue, 1, is_wanted);
#endif
}

cudaError_t call(gpuprim::append_queue<int> queue) { return gpuprim::launch(kernel, 1, 64, nullptr, queue); }
