// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::find_if: the predicate's const operator() must take an element and return a bool
#include <gpuprim/search.cuh>

struct is_large {
  __host__ __device__ bool operator()(int a) const { return a > 100; }
};
struct are_equal {
  __host__ __device__ bool operator()(int a, int b) const { return a == b; }
};

cudaError_t call(const int* in, bool* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::all_of(in, 9, out, is_large{});
#else
  return gpuprim::all_of(in, 9, out, are_equal{});
#endif
}
