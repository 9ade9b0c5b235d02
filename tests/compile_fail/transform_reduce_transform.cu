// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform_reduce: the transformation's const operator() must take an element of each input and return
//   a value
#include <gpuprim/transform_reduce.cuh>

struct negate {
  __host__ __device__ int operator()(int a) const { return -a; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transform_reduce(in, in, 9, out, gpuprim::plus{}, gpuprim::multiplies{}, 0);
#else
  return gpuprim::transform_reduce(in, in, 9, out, gpuprim::plus{}, negate{}, 0);
#endif
}
