// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::is_sorted: the order's const operator() must take two elements and say whether the first is less
#include <gpuprim/search.cuh>

struct ordered {
  int x;
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ bool operator<(const ordered& other) const { return x < other.x; }
#endif
};

cudaError_t call(const ordered* in, bool* out) { return gpuprim::is_sorted(in, 9, out); }
