// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

cudaError_t call(const float* sorted, long long n, const float* values, long long count, int* out) {
  return gpuprim::lower_bound_of_sorted(sorted, n, values, count, out);
}
