// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: only a scan of a block calls a prefix_callback
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

struct find_prefix {
  __device__ int operator()(int) const { return 0; }
};

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  const gpuprim::this_block group;
  *out = gpuprim::block_inclusive_scan<64>(group, 1, gpuprim::plus{}, gpuprim::prefix_callback{find_prefix{}});
#else
  const gpuprim::warp_tile<32> group;
  *out = gpuprim::warp_inclusive_scan(group, 1, gpuprim::plus{}, gpuprim::prefix_callback{find_prefix{}});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
