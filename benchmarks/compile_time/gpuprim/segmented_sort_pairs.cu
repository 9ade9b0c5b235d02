// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/sort.cuh>

cudaError_t call(const unsigned* in, const float* values, const int* offsets, long long n, long long segments,
                 unsigned* out, float* values_out) {
  return gpuprim::segmented_sort_pairs(in, values, gpuprim::segment_offsets{offsets, n}, segments, out, values_out);
}
