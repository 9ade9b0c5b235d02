// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

struct put_positive {
  float* out;
  __host__ __device__ void operator()(float x) const {
    if (x > 0) *out = x;
  }
};

cudaError_t call(const float* in, long long n, float* out) { return gpuprim::for_each(in, n, put_positive{out}); }
