// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::thread_scan: the operator's const operator() must take two values of the type and return one
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

struct pick {
  __host__ __device__ int* operator()(int, int) const { return nullptr; }
};

__global__ void kernel(int* out) {
  int values[] = {*out, 1};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::thread_inclusive_scan(values, gpuprim::maximum{});
#else
  gpuprim::thread_inclusive_scan(values, pick{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
