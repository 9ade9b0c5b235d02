// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_sort, warp_merge: a lane has 1 to 8 keys
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/warp/warp_sort.cuh>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  int keys[8] = {*out};
  gpuprim::warp_sort(gpuprim::warp_tile<32>{}, keys, is_less{});
#else
  int keys[9] = {*out};
  gpuprim::warp_sort(gpuprim::warp_tile<32>{}, keys, is_less{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
