// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::merge_sort: the order's const operator() must take two elements and say whether the first
#include <gpuprim/device/merge_sort.cuh>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::merge_sort(in, 1, out, is_less{});
#else
  return gpuprim::merge_sort(in, 1, out, 0);
#endif
}
