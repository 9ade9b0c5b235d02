// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: BlockSize must be a multiple of 32 from 32 to 1024
#include <gpuprim/reduce.cuh>

cudaError_t call(const int* in, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce<gpuprim::plus<int>, 96, 8>(in, 9, out);
#else
  return gpuprim::reduce<gpuprim::plus<int>, 100, 8>(in, 9, out);
#endif
}
