// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the const operator() of a projection must take a key and return a number of at most 64 bits or a
#include <gpuprim/sort.cuh>

#include <utility>

struct point {
  int x, y;
};
struct by_both {
#if defined(GPUPRIM_TEST_CONTROL)
  using result = gpuprim::tuple<int, int>;
#else
  using result = std::pair<int, int>;
#endif
  GPUPRIM_HOST_DEVICE result operator()(const point& p) const { return {p.x, p.y}; }
};

cudaError_t call(const point* in, point* out) { return gpuprim::sort(in, 100, out, gpuprim::ascending.by(by_both{})); }
