// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::sort, sort_pairs: a projection makes numbers of at most 384 bits in all of a key
#include <gpuprim/sort.cuh>

struct place {
  double x, y, z;
};
struct by_three {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<double, double, double> operator()(const place& p) const {
    return {p.x, p.y, p.z};
  }
};
struct by_seven {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<double, double, double, double, double, double, double> operator()(
      const place& p) const {
    return {p.x, p.y, p.z, p.x + p.y, p.y + p.z, p.z + p.x, p.x + p.y + p.z};
  }
};

cudaError_t call(const place* in, place* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::sort(in, 100, out, gpuprim::ascending.by(by_three{}));
#else
  return gpuprim::sort(in, 100, out, gpuprim::ascending.by(by_seven{}));
#endif
}
