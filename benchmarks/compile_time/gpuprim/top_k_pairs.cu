// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/top_k.cuh>

cudaError_t call(const float* in, const int* values, long long n, long long k, float* out, int* values_out) {
  return gpuprim::top_k_pairs(in, values, n, k, out, values_out, gpuprim::largest);
}
