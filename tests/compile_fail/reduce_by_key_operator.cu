// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce_by_key: the operator's const operator() must take two values of the accumulator type and
//   return one
#include <gpuprim/reduce_by_key.cuh>

struct negate {
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
#else
  __host__ __device__ int operator()(int a) const { return -a; }
#endif
};

cudaError_t call(const int* in, int* out) { return gpuprim::reduce_by_key(in, in, 9, out, out, out, negate{}); }
