// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::..._scan: the operator's const operator() must take two values of the type and return one
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

struct pick {
  __host__ __device__ int* operator()(int, int) const { return nullptr; }
};

__global__ void kernel(int* out) {
  const gpuprim::this_block block;
  int values[] = {*out, 1};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_inclusive_scan<64>(block, values, gpuprim::maximum{});
#else
  gpuprim::block_inclusive_scan<64>(block, values, pick{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
