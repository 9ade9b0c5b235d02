// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/select.cuh>

cudaError_t call(const int* keys, const float* in, long long n, int* keys_out, float* out, long long* count) {
  return gpuprim::unique_by_key(keys, in, n, keys_out, out, count);
}
