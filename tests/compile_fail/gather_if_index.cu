// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::gather_if: the indices must be integers
#include <gpuprim/transform.cuh>

struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};

cudaError_t call(const float* in, const int* index, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::gather_if(in, index, in, 9, out, is_negative{});
#else
  (void)index;
  return gpuprim::gather_if(in, in, in, 9, out, is_negative{});
#endif
}
