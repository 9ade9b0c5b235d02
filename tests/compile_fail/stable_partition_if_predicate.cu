// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::stable_partition_if: the predicate's const operator() must take an element and return a bool
#include <gpuprim/select.cuh>

struct is_even {
#if defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 == 0; }
#else
  GPUPRIM_HOST_DEVICE bool operator()(int x, int y) const { return (x + y) % 2 == 0; }
#endif
};

cudaError_t call(const int* in, int* out, int* count) {
  return gpuprim::stable_partition_if(in, 100, out, count, is_even{});
}
