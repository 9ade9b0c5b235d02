// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_append: a block has 1 to 1024 threads
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
constexpr int threads = 64;
#else
constexpr int threads = 2048;
#endif

__global__ void kernel(int* out) {
  const gpuprim::append_queue<int> queue{out, 64, nullptr};
  gpuprim::block_append<threads>(gpuprim::this_block{}, queue, 1, true);
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
