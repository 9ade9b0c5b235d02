// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform_reduce: the operator's const operator() must take two values of the accumulator type and
//   return one
#include <gpuprim/transform_reduce.cuh>

struct negate {
  __host__ __device__ int operator()(int a) const { return -a; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transform_reduce(in, 9, out, gpuprim::plus{}, negate{}, 0);
#else
  return gpuprim::transform_reduce(in, 9, out, negate{}, negate{}, 0);
#endif
}
