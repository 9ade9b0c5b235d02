// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/merge.cuh>

struct comes_first {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

cudaError_t call(const unsigned* a, long long a_count, const unsigned* b, long long b_count, unsigned* out,
                 int* count) {
  return gpuprim::set_union(a, a_count, b, b_count, out, count, comes_first{});
}
