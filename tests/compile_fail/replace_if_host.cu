// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error of nvcc: calling a __host__ function... from a __device__ function
#include <gpuprim/transform.cuh>

struct is_negative {
#if defined(GPUPRIM_TEST_CONTROL)
  __device__
#endif
  bool operator()(float x) const {
    return x < 0;
  }
};

cudaError_t call(const float* in, float* out) { return gpuprim::replace_if(in, 9, out, is_negative{}, 0); }
