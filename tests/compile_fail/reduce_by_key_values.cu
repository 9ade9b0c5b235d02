// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce_by_key: the values must be a pointer or a random-access iterator
#include <gpuprim/reduce_by_key.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using values = const int*;
#else
struct values {};
#endif

cudaError_t call(const int* in, int* out, values v) {
  return gpuprim::reduce_by_key<int>(in, v, 9, out, out, out, gpuprim::plus{});
}
