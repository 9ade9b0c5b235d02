// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::unique: the equality's const operator() must take two elements and return a bool
#include <gpuprim/select.cuh>

struct same_parity {
#if defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a % 2 == b % 2; }
#else
  GPUPRIM_HOST_DEVICE bool operator()(int a) const { return a % 2 == 0; }
#endif
};

cudaError_t call(const int* in, int* out, int* count) { return gpuprim::unique(in, 100, out, count, same_parity{}); }
