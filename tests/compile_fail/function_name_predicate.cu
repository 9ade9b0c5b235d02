// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the name of a function is its address on the host, which no kernel can call; write a lambda
#include <gpuprim/select.cuh>

GPUPRIM_HOST_DEVICE bool is_odd_number(int a) { return a % 2 != 0; }
#if defined(GPUPRIM_TEST_CONTROL)
struct is_odd {
  GPUPRIM_HOST_DEVICE bool operator()(int a) const { return is_odd_number(a); }
};
cudaError_t call(const int* in, int* out, int* count) { return gpuprim::select_if(in, 9, out, count, is_odd{}); }
#else
cudaError_t call(const int* in, int* out, int* count) { return gpuprim::select_if(in, 9, out, count, is_odd_number); }
#endif
