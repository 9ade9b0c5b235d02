// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_radix_sort.cuh>

cudaError_t call(void* storage, size_t& bytes, const unsigned* keys, const unsigned* values, long long n,
                 unsigned* keys_out, unsigned* values_out) {
  return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, keys_out, values, values_out, n);
}
