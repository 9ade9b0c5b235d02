// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform: the input must be a pointer or a random-access iterator
#include <gpuprim/transform.cuh>

struct twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transform(in, 9, out, twice{});
#else
  return gpuprim::transform(*in, 9, out, twice{});
#endif
}
