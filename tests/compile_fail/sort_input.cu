// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::sort: the keys must be a pointer or a random-access iterator; a double_buffer must be a variable
#include <gpuprim/sort.cuh>

cudaError_t call(float* keys, float* other) {
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::double_buffer<float> buffers{keys, other};
  return gpuprim::sort(buffers, 100, gpuprim::descending);
#else
  return gpuprim::sort(gpuprim::double_buffer<float>{keys, other}, 100, gpuprim::descending);
#endif
}
