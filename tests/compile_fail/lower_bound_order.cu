// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::lower_bound: the order's const operator() must take an element and a value, in both orders, and say
//   whether
#include <gpuprim/transform.cuh>

struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};
struct before {
  __host__ __device__ bool operator()(float a, float b) const { return a < b; }
};

cudaError_t call(const float* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::lower_bound(in, 9, in, 9, out, before{});
#else
  return gpuprim::lower_bound(in, 9, in, 9, out, is_negative{});
#endif
}
