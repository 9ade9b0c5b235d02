// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the operator has no identity for this type; pass the operator and an initial value
#include <gpuprim/segmented_reduce.cuh>

struct larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

cudaError_t call(const int* in, const int* offsets, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_reduce(in, offsets, 9, out, larger{}, 0);
#else
  return gpuprim::segmented_reduce(in, offsets, 9, out, larger{});
#endif
}
