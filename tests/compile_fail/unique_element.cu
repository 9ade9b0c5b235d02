// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::unique: the input must be a pointer or a random-access iterator to elements that are trivially
//   copyable
#include <gpuprim/select.cuh>

struct point {
  int x;
#if !defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_HOST_DEVICE point(const point& other) : x(other.x) {}
#endif
  GPUPRIM_HOST_DEVICE friend bool operator==(const point& a, const point& b) { return a.x == b.x; }
};

cudaError_t call(const point* in, point* out, int* count) { return gpuprim::unique(in, 100, out, count); }
