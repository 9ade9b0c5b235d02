// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce_into: the operator must have an identity for this type; specialize identity_element
#include <gpuprim/transform_reduce.cuh>

struct larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

cudaError_t call(const int* in, gpuprim::tuple<int, int>* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce_into(in, 9, out, gpuprim::fused(gpuprim::plus{}, gpuprim::maximum{}));
#else
  return gpuprim::reduce_into(in, 9, out, gpuprim::fused(gpuprim::plus{}, larger{}));
#endif
}
