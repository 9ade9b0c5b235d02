// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a stream belongs to the options; write {.stream = s} in its place
#include <gpuprim/search.cuh>

cudaError_t call(const float* in, bool* out, cudaStream_t stream) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::is_sorted(in, 9, out, {.stream = stream});
#else
  return gpuprim::is_sorted(in, 9, out, stream);
#endif
}
