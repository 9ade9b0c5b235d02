// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform_if: the predicate's const operator() must take an element of each input and return a bool
#include <gpuprim/transform.cuh>

struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};
struct without_element {
  __host__ __device__ bool operator()() const { return true; }
};
struct negated {
  __host__ __device__ float operator()(float x) const { return -x; }
};

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transform_if(in, 9, out, negated{}, is_negative{});
#else
  return gpuprim::transform_if(in, 9, out, negated{}, without_element{});
#endif
}
