// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/select.cuh>

cudaError_t call(const float* in, const bool* flags, long long n, float* out, long long* count) {
  return gpuprim::select_flagged(in, flags, n, out, count);
}
