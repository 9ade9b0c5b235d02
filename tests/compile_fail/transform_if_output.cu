// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform_if: the output must take what the function returns
#include <gpuprim/transform.cuh>

struct point {
  float x;
};
struct is_negative {
  __host__ __device__ bool operator()(float x) const { return x < 0; }
};
struct negated {
  __host__ __device__ float operator()(float x) const { return -x; }
};

cudaError_t call(const float* in, float* out, [[maybe_unused]] point* points) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transform_if(in, in, 9, out, negated{}, is_negative{});
#else
  return gpuprim::transform_if(in, in, 9, points, negated{}, is_negative{});
#endif
}
