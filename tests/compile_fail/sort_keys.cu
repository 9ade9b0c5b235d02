// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::sort, sort_pairs: keys without a < need a comparison, or ascending.by(projection), where
//   projection(key) is a number or a gpuprim::tuple of numbers
#include <gpuprim/sort.cuh>

struct point {
  int x, y;
};
struct by_x {
  GPUPRIM_HOST_DEVICE int operator()(const point& p) const { return p.x; }
};

cudaError_t call(const point* in, point* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::sort(in, 100, out, gpuprim::ascending.by(by_x{}));
#else
  return gpuprim::sort(in, 100, out);
#endif
}
