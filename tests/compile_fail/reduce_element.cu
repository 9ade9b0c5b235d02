// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: the element type must be trivially copyable and assignable
#include <gpuprim/reduce.cuh>

struct owner {
  int* p;
  __host__ __device__ owner(const owner& o) : p(o.p) {}
  __host__ __device__ operator int() const { return *p; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce<int>(in, 9, out, gpuprim::plus{}, 0);
#else
  return gpuprim::reduce<int>(reinterpret_cast<const owner*>(in), 9, out, gpuprim::plus{}, 0);
#endif
}
