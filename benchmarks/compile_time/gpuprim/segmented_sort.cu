// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/sort.cuh>

cudaError_t call(const unsigned* in, const int* offsets, long long n, long long segments, unsigned* out) {
  return gpuprim::segmented_sort(in, gpuprim::segment_offsets{offsets, n}, segments, out);
}
