// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: the operator's const operator() must take two values of the accumulator type and return one
#include <gpuprim/reduce.cuh>

struct money {
  int cents;
#if defined(GPUPRIM_TEST_CONTROL)
  friend __host__ __device__ money operator+(money a, money b) { return {a.cents + b.cents}; }
#endif
};

cudaError_t call(const money* in, money* out) { return gpuprim::reduce(in, 9, out, gpuprim::plus{}, money{0}); }
