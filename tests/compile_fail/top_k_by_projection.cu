// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::top_k: the const operator() of a projection must take a key and return a number of at most
#include <gpuprim/top_k.cuh>

struct record {
  int number;
};
struct number_of {
#if defined(GPUPRIM_TEST_CONTROL)
  __host__ __device__ int operator()(const record& r) const { return r.number; }
#else
  __host__ __device__ record operator()(const record& r) const { return r; }
#endif
};

cudaError_t call(const record* in, record* out) {
  return gpuprim::top_k(in, 9, 3, out, gpuprim::largest.by(number_of{}));
}
