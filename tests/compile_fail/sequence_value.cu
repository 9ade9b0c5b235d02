// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::sequence: the values must be numbers
#include <gpuprim/transform.cuh>

struct point {
  float x;
};

cudaError_t call(point* points, float* numbers) {
#if defined(GPUPRIM_TEST_CONTROL)
  (void)points;
  return gpuprim::sequence(numbers, 9, 1.0f);
#else
  (void)numbers;
  return gpuprim::sequence(points, 9, point{1});
#endif
}
