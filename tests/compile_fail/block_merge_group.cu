// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_merge: the group must be a thread block
#include <gpuprim/block/block_merge.cuh>
#include <gpuprim/launch/launch.cuh>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  int merged[2];
  gpuprim::block_merge<64>(gpuprim::this_block{}, out, 1, out, 1, merged, is_less{});
#else
  int merged[2];
  gpuprim::block_merge<64>(gpuprim::warp_tile<32>{}, out, 1, out, 1, merged, is_less{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
