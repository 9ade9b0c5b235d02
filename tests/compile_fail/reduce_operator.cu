// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: the operator's const operator() must take two values of the accumulator type and return one
#include <gpuprim/reduce.cuh>

struct negate {
  __host__ __device__ int operator()(int a) const { return -a; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce(in, 9, out, gpuprim::plus{}, 0);
#else
  return gpuprim::reduce(in, 9, out, negate{}, 0);
#endif
}
