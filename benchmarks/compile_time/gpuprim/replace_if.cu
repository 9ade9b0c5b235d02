// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

cudaError_t call(const float* in, long long n, float* out) {
  return gpuprim::replace_if(in, n, out, is_positive{}, 0.0f);
}
