// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::replace_if: the predicate's const operator() must take an element and return a bool
#include <gpuprim/transform.cuh>

struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};
struct without_element {
  __host__ __device__ bool operator()() const { return true; }
};

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::replace_if(in, 9, out, is_negative{}, 0);
#else
  return gpuprim::replace_if(in, 9, out, without_element{}, 0);
#endif
}
