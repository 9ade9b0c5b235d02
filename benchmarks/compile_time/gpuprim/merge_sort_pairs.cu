// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/device/merge_sort.cuh>

struct comes_first {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

cudaError_t call(const unsigned* in, const float* values, long long n, unsigned* out, float* values_out) {
  return gpuprim::merge_sort_pairs(in, values, n, out, values_out, comes_first{});
}
