// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::partition_if: the outputs must take elements
#include <gpuprim/select.cuh>

struct is_even {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 == 0; }
};

#if defined(GPUPRIM_TEST_CONTROL)
using out_type = long long*;
#else
using out_type = int**;
#endif

cudaError_t call(const int* in, out_type out, int* count) {
  return gpuprim::partition_if(in, 100, out, count, is_even{});
}
