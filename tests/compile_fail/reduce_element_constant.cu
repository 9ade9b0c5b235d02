// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: the element type must be trivially copyable and assignable
#include <gpuprim/reduce.cuh>

struct constant {
  const int value;
  __host__ __device__ operator int() const { return value; }
};

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce<int>(in, 9, out, gpuprim::plus{}, 0);
#else
  return gpuprim::reduce<int>(reinterpret_cast<const constant*>(in), 9, out, gpuprim::plus{}, 0);
#endif
}
