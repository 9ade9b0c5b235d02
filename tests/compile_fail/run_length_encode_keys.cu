// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::run_length_encode: the equality's const operator() must take two elements and return a bool
#include <gpuprim/reduce_by_key.cuh>

struct key {
  int x;
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ bool operator==(const key& other) const { return x == other.x; }
#endif
};

cudaError_t call(const key* in, key* keys, int* out) { return gpuprim::run_length_encode(in, 9, keys, out, out); }
