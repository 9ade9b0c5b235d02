// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

cudaError_t call(const float* in, long long n, const float* wanted, long long count, int* out) {
  return gpuprim::lower_bound(in, n, wanted, count, out);
}
