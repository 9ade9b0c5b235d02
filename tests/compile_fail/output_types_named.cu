// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: output_holds<...int...float
#include <gpuprim/sort.cuh>

cudaError_t call(const float* in, [[maybe_unused]] float* right, [[maybe_unused]] int* wrong) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::sort(in, 9, right);
#else
  return gpuprim::sort(in, 9, wrong);
#endif
}
