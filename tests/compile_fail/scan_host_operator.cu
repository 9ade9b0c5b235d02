// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error of nvcc: error: calling a constexpr __host__ function... from a ...__device__ function
#include <gpuprim/scan.cuh>

struct add {
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__
#endif
  constexpr int operator()(int a, int b) const {
    return a + b;
  }
};

cudaError_t call(const int* in, int* out) { return gpuprim::inclusive_scan(in, 9, out, add{}); }
