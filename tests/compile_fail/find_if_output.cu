// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the output must take a value of the result's type
#include <gpuprim/search.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using position = std::int64_t;
#else
using position = const std::int64_t;
#endif

struct is_large {
  __host__ __device__ bool operator()(int a) const { return a > 100; }
};

cudaError_t call(const int* in, position* out) { return gpuprim::find_if(in, 9, out, is_large{}); }
