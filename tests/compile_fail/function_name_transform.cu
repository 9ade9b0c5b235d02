// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the name of a function is its address on the host, which no kernel can call; write a lambda
#include <gpuprim/transform.cuh>

GPUPRIM_HOST_DEVICE int twice_of(int a) { return 2 * a; }
#if defined(GPUPRIM_TEST_CONTROL)
struct twice {
  GPUPRIM_HOST_DEVICE int operator()(int a) const { return twice_of(a); }
};
cudaError_t call(const int* in, int* out) { return gpuprim::transform(in, 9, out, twice{}); }
#else
cudaError_t call(const int* in, int* out) { return gpuprim::transform(in, 9, out, twice_of); }
#endif
