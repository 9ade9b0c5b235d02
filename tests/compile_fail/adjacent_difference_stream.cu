// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a stream belongs to the options; write {.stream = s} in its place
#include <gpuprim/transform.cuh>

cudaError_t call(const float* in, float* out, cudaStream_t stream) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::adjacent_difference(in, 9, out, {.stream = stream});
#else
  return gpuprim::adjacent_difference(in, 9, out, stream);
#endif
}
