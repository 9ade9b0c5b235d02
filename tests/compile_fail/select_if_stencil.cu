// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::select_if: the predicate's const operator() must take a value of the stencil and return a bool
#include <gpuprim/select.cuh>

struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};
struct without_element {
  __host__ __device__ bool operator()() const { return true; }
};

cudaError_t call(const int* in, const float* stencil, int* out, int* count) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::select_if(in, stencil, 9, out, count, is_negative{});
#else
  return gpuprim::select_if(in, stencil, 9, out, count, without_element{});
#endif
}
