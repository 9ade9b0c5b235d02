// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_merge.cuh>

struct comes_first {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

cudaError_t call(void* storage, size_t& bytes, const unsigned* a, long long a_count, const unsigned* b,
                 long long b_count, unsigned* out) {
  return cub::DeviceMerge::MergeKeys(storage, bytes, a, a_count, b, b_count, out, comes_first{});
}
