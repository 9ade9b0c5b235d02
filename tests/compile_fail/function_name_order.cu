// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the name of a function is its address on the host, which no kernel can call; write a lambda
#include <gpuprim/sort.cuh>

GPUPRIM_HOST_DEVICE bool comes_first(int a, int b) { return a % 10 < b % 10; }
#if defined(GPUPRIM_TEST_CONTROL)
struct by_last_digit {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return comes_first(a, b); }
};
cudaError_t call(const int* in, int* out) { return gpuprim::sort(in, 9, out, by_last_digit{}); }
#else
cudaError_t call(const int* in, int* out) { return gpuprim::sort(in, 9, out, comes_first); }
#endif
