// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_reduce: the operator's const operator() must take two values of the accumulator type and
//   return one
#include <gpuprim/segmented_reduce.cuh>

struct negate {
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
#else
  __host__ __device__ int operator()(int a) const { return -a; }
#endif
};

cudaError_t call(const int* in, int* out) {
  return gpuprim::segmented_reduce(in, gpuprim::fixed_length{4}, 9, out, negate{}, 0);
}
