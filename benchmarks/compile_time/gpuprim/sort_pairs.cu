// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/sort.cuh>

cudaError_t call(const unsigned* keys, const unsigned* values, long long n, unsigned* keys_out, unsigned* values_out) {
  return gpuprim::sort_pairs(keys, values, n, keys_out, values_out);
}
