// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the operator has no identity for this type; pass the operator and an initial value
#include <gpuprim/scan.cuh>

struct larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::column_exclusive_scan(in, 9, 4, out, larger{}, 0);
#else
  return gpuprim::column_exclusive_scan(in, 9, 4, out, larger{});
#endif
}
