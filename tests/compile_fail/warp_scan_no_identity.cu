// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_exclusive_scan: the operator has no identity for this type; pass an initial value
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

struct later {  // without an identity
  __host__ __device__ int operator()(int, int b) const { return b; }
};

__global__ void kernel(int* out) {
  const gpuprim::warp_tile<32> tile;
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::warp_exclusive_scan(tile, 1, later{}, 0);
#else
  *out = gpuprim::warp_exclusive_scan(tile, 1, later{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
