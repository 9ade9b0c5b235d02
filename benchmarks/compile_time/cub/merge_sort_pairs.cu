// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_merge_sort.cuh>

struct comes_first {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

cudaError_t call(void* storage, size_t& bytes, const unsigned* in, const float* values, long long n, unsigned* out,
                 float* values_out) {
  return cub::DeviceMergeSort::SortPairsCopy(storage, bytes, in, values, out, values_out, n, comes_first{});
}
