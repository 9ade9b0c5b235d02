// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a stream belongs to the options; write {.stream = s} in its place
#include <gpuprim/segmented_reduce.cuh>

cudaError_t call(const float* in, const int* offsets, float* out, cudaStream_t stream) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{}, {.stream = stream});
#else
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{}, stream);
#endif
}
