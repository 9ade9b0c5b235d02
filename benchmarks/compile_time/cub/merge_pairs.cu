// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_merge.cuh>

struct comes_first {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

cudaError_t call(void* storage, size_t& bytes, const unsigned* a, const float* a_values, long long a_count,
                 const unsigned* b, const float* b_values, long long b_count, unsigned* out, float* values) {
  return cub::DeviceMerge::MergePairs(storage, bytes, a, a_values, a_count, b, b_values, b_count, out, values,
                                      comes_first{});
}
