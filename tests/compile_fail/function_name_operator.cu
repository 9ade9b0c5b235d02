// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the name of a function is its address on the host, which no kernel can call; write a lambda
#include <gpuprim/reduce.cuh>

GPUPRIM_HOST_DEVICE int larger_of(int a, int b) { return a < b ? b : a; }
#if defined(GPUPRIM_TEST_CONTROL)
struct larger {
  GPUPRIM_HOST_DEVICE int operator()(int a, int b) const { return larger_of(a, b); }
};
cudaError_t call(const int* in, int* out) { return gpuprim::reduce(in, 9, out, larger{}, 0); }
#else
cudaError_t call(const int* in, int* out) { return gpuprim::reduce(in, 9, out, larger_of, 0); }
#endif
