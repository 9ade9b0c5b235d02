// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transform_select: the projection's const operator() must take an element and return what has
//   has_value
#include <gpuprim/select.cuh>

struct half {
#if defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_HOST_DEVICE gpuprim::maybe<int> operator()(int x) const { return x / 2; }
#else
  GPUPRIM_HOST_DEVICE int operator()(int x) const { return x / 2; }
#endif
};

cudaError_t call(const int* in, int* out, int* count) { return gpuprim::transform_select(in, 100, out, count, half{}); }
