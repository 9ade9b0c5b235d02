// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::scan: the operator's const operator() must take two values of the accumulator type and return one
#include <gpuprim/scan.cuh>

struct join {
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
#else
  __host__ __device__ void operator()(float, float) const {}
#endif
};

cudaError_t call(const float* in, float* out) { return gpuprim::exclusive_scan(in, 9, out, join{}, 0.0f); }
