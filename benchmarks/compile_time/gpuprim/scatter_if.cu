// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

cudaError_t call(const float* in, const int* places, const float* stencil, long long n, float* out) {
  return gpuprim::scatter_if(in, places, stencil, n, out, is_positive{});
}
