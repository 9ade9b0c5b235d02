// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/search.cuh>

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

cudaError_t call(const float* in, long long n, long long* out) { return gpuprim::find_if(in, n, out, is_positive{}); }
