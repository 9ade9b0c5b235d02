// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::select_flagged: the outputs must take elements and their count
#include <gpuprim/select.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using count_type = long long*;
#else
using count_type = int**;
#endif

cudaError_t call(const int* in, const bool* flags, int* out, count_type count) {
  return gpuprim::select_flagged(in, flags, 100, out, count);
}
