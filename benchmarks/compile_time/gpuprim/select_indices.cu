// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/select.cuh>

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

cudaError_t call(const float* in, long long n, int* out, long long* count) {
  return gpuprim::select_indices(in, n, out, count, is_positive{});
}
