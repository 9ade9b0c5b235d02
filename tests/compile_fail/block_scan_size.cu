// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_scan: a block has 1 to 1024 threads
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

__global__ void kernel(int* out) {
  const gpuprim::this_block block;
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::block_inclusive_scan<1024>(block, 1, gpuprim::plus{});
#else
  *out = gpuprim::block_inclusive_scan<1025>(block, 1, gpuprim::plus{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
