// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_radix_sort: keys that are no numbers need ascending.by(projection), where projection(key) is
#include <gpuprim/sort.cuh>

struct point {
  int x, y;
};
struct by_x {
  GPUPRIM_HOST_DEVICE int operator()(const point& p) const { return p.x; }
};

__global__ void kernel(point* points) {
  point own[2] = {points[threadIdx.x], points[threadIdx.x + 64]};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_radix_sort<64>(gpuprim::this_block{}, own, gpuprim::ascending.by(by_x{}));
#else
  gpuprim::block_radix_sort<64>(gpuprim::this_block{}, own);
#endif
  points[threadIdx.x] = own[0];
}
