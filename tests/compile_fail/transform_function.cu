// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform: the function's const operator() must take an element of each input, by value or as a
//   constant
#include <gpuprim/transform.cuh>

struct twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
struct change {
  __host__ __device__ float operator()(float& x) const { return x *= 2; }
};

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transform(in, 9, out, twice{});
#else
  return gpuprim::transform(in, 9, out, change{});
#endif
}
