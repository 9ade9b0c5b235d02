// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: a count in device memory needs an operator that has an identity; specialize identity_element
#include <gpuprim/reduce.cuh>

struct add {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};
#if defined(GPUPRIM_TEST_CONTROL)
template <>
struct gpuprim::identity_element<add, float> {
  static constexpr __host__ __device__ float value() { return 0; }
};
#endif

cudaError_t call(const float* in, const int* n, float* out) { return gpuprim::reduce(in, {n, 100}, out, add{}, 1.0f); }
