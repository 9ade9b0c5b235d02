// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

struct twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

cudaError_t call(const float* in, long long n, float* out) {
  return gpuprim::transform_if(in, n, out, twice{}, is_positive{});
}
