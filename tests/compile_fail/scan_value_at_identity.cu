// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::scan: a value_at needs an operator that has an identity; specialize identity_element
#include <gpuprim/scan.cuh>

struct add {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};
#if defined(GPUPRIM_TEST_CONTROL)
template <>
struct gpuprim::identity_element<add, float> {
  static constexpr __host__ __device__ float value() { return 0; }
};
#endif

cudaError_t call(const float* in, float* out, const float* from) {
  return gpuprim::exclusive_scan(in, 9, out, add{}, gpuprim::value_at{from});
}
