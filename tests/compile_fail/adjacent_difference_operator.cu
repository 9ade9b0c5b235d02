// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::adjacent_difference: the operator's const operator() must take an element and the one before it
#include <gpuprim/transform.cuh>

struct negate {
  __host__ __device__ float operator()(float x) const { return -x; }
};

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::adjacent_difference(in, 9, out, gpuprim::minus{});
#else
  return gpuprim::adjacent_difference(in, 9, out, negate{});
#endif
}
