// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::gather: the indices must be a pointer or a random-access iterator
#include <gpuprim/transform.cuh>

#include <vector>

cudaError_t call(const float* in, const std::vector<int>& index, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::gather(in, index.data(), 9, out);
#else
  return gpuprim::gather(in, index, 9, out);
#endif
}
