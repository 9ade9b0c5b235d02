// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::select_if: the predicate's const operator() must take an element and return a bool
#include <gpuprim/select.cuh>

struct point {
  int x, y;
};
struct is_far {
#if defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_HOST_DEVICE bool operator()(const point& p) const { return p.x > 100; }
#else
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x > 100; }
#endif
};

cudaError_t call(const point* in, point* out, int* count) { return gpuprim::select_if(in, 100, out, count, is_far{}); }
