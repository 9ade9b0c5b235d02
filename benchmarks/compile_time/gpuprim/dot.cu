// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/dot.cuh>

cudaError_t call(const float* first, const float* second, long long n, float* out) {
  return gpuprim::dot(first, second, n, out);
}
