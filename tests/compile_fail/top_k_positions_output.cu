// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::top_k_positions: the output must take integers
#include <gpuprim/top_k.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using position = int;
#else
struct position {};
#endif

cudaError_t call(const float* in, float* out, position* positions) {
  return gpuprim::top_k_positions(in, 100, 3, out, positions);
}
