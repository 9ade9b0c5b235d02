// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_segmented_sort.cuh>

cudaError_t call(void* storage, size_t& bytes, const unsigned* in, const float* values, const int* offsets, long long n,
                 long long segments, unsigned* out, float* values_out) {
  return cub::DeviceSegmentedSort::StableSortPairs(storage, bytes, in, out, values, values_out, n, segments, offsets,
                                                   offsets + 1);
}
