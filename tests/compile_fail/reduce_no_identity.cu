// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the operator has no identity for this type; pass the operator and an initial value
#include <gpuprim/reduce.cuh>

struct subtract {
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce<subtract, 256, 8>(in, 9, out, subtract{}, 0);
#else
  return gpuprim::reduce<subtract, 256, 8>(in, 9, out);
#endif
}
