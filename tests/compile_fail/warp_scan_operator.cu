// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_scan: the operator's const operator() must take two values of the type and return one
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

struct pick {
  __host__ __device__ int* operator()(int, int) const { return nullptr; }
};

__global__ void kernel(int* out) {
  const gpuprim::warp_tile<32> tile;
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::warp_inclusive_scan(tile, 1, gpuprim::maximum{});
#else
  *out = gpuprim::warp_inclusive_scan(tile, 1, pick{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
