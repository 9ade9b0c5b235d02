// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_sort, warp_merge: the order's const operator() must take two keys and say whether the first
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/warp/warp_sort.cuh>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::warp_sort(gpuprim::warp_tile<32>{}, *out, is_less{});
#else
  gpuprim::warp_sort(gpuprim::warp_tile<32>{}, *out, gpuprim::warp_tile<32>{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
