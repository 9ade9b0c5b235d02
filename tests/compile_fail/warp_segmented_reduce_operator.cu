// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_segmented_reduce: the operator's const operator() must take two values of the type and return
//   one
#include <gpuprim/segmented_reduce.cuh>

struct takes_one {
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
#else
  __host__ __device__ int operator()(int a) const { return a; }
#endif
};

__global__ void kernel(int* out) {
  *out = gpuprim::warp_segmented_reduce(gpuprim::warp_tile<32>{}, 1, true, takes_one{});
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 32, nullptr, out); }
