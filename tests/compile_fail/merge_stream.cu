// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a stream belongs to the options; write {.stream = s} in its place
#include <gpuprim/merge.cuh>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

cudaError_t call(const int* a, int* out, cudaStream_t stream) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::merge(a, 1, a, 1, out, is_less{}, {.stream = stream});
#else
  return gpuprim::merge(a, 1, a, 1, out, stream);
#endif
}
