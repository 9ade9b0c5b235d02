// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the name of a function is its address on the host, which no kernel can call; write a lambda
#include <gpuprim/top_k.cuh>

GPUPRIM_HOST_DEVICE int last_digit_of(int a) { return a % 10; }
#if defined(GPUPRIM_TEST_CONTROL)
struct last_digit {
  GPUPRIM_HOST_DEVICE int operator()(int a) const { return last_digit_of(a); }
};
cudaError_t call(const int* in, int* out) { return gpuprim::top_k(in, 9, 3, out, gpuprim::largest.by(last_digit{})); }
#else
cudaError_t call(const int* in, int* out) { return gpuprim::top_k(in, 9, 3, out, gpuprim::largest.by(&last_digit_of)); }
#endif
