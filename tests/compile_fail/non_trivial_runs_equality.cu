// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::non_trivial_runs: the equality's const operator() must take two elements and return a bool
#include <gpuprim/reduce_by_key.cuh>

struct same {
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ bool operator()(int a, int b) const { return a == b; }
#else
  __host__ __device__ bool operator()(int a) const { return a == 0; }
#endif
};

cudaError_t call(const int* in, int* out) { return gpuprim::non_trivial_runs(in, 9, out, out, out, same{}); }
