// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::min_element: the order's const operator() must take two elements and say whether the first is less
#include <gpuprim/extrema.cuh>

struct by_size {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};
struct size_of {
  __host__ __device__ int operator()(int a) const { return a; }
};

cudaError_t call(const int* in, gpuprim::extremum<int>* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::min_element.by(by_size{})(in, 9, out);
#else
  return gpuprim::min_element.by(size_of{})(in, 9, out);
#endif
}
