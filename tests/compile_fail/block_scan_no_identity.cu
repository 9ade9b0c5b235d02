// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_exclusive_scan: the operator has no identity for this type; pass an initial value
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

struct later {  // without an identity
  __host__ __device__ int operator()(int, int b) const { return b; }
};

__global__ void kernel(int* out) {
  const gpuprim::this_block block;
  int total = 0;
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::block_exclusive_scan<64>(block, 1, later{}, 0, total);
#else
  *out = gpuprim::block_exclusive_scan<64>(block, 1, later{}, gpuprim::total_to{total});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
