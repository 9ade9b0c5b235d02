// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a stream belongs to the options; write {.stream = s} in its place
#include <gpuprim/reduce_by_key.cuh>

cudaError_t call(const int* in, int* out, cudaStream_t stream) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce_by_key(in, in, 9, out, out + 9, out + 18, gpuprim::plus{}, {.stream = stream});
#else
  return gpuprim::reduce_by_key(in, in, 9, out, out + 9, out + 18, gpuprim::plus{}, stream);
#endif
}
