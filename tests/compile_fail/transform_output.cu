// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform: the output must take what the function returns; several outputs take the members of a
//   gpuprim::tuple
#include <gpuprim/transform.cuh>

struct halves {
  __host__ __device__ gpuprim::tuple<float, float> operator()(float x) const { return {x / 2, x / 2}; }
};

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transform(in, 9, gpuprim::outputs(out, out + 9), halves{});
#else
  return gpuprim::transform(in, 9, out, halves{});
#endif
}
