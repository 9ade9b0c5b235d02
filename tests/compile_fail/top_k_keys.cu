// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::top_k: the keys must be numbers of at most 64 bits
#include <gpuprim/top_k.cuh>

struct score {
  float value;
};
#if defined(GPUPRIM_TEST_CONTROL)
using key = float;
#else
using key = score;
#endif

cudaError_t call(const key* in, key* out) { return gpuprim::top_k(in, 100, 3, out); }
