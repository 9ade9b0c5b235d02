// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::equal: the elements of the inputs must compare by ==
#include <gpuprim/search.cuh>

struct alike {
  int x;
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ bool operator==(const alike& other) const { return x == other.x; }
#endif
};

cudaError_t call(const alike* a, const alike* b, bool* out) { return gpuprim::equal(a, b, 9, out); }
