// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/top_k.cuh>

cudaError_t call(const float* in, long long n, long long k, float* out) {
  return gpuprim::top_k(in, n, k, out, gpuprim::largest);
}
