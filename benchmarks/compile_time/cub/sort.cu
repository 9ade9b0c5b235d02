// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_radix_sort.cuh>

cudaError_t call(void* storage, size_t& bytes, const unsigned* in, long long n, unsigned* out) {
  return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
}
