// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::partition_flagged: the outputs must take elements and the count of those in front
#include <gpuprim/select.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using out_type = long long*;
#else
using out_type = int**;
#endif

cudaError_t call(const int* in, const bool* flags, out_type out, int* count) {
  return gpuprim::partition_flagged(in, flags, 100, out, count);
}
