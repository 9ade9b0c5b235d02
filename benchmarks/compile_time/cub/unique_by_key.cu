// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_select.cuh>

cudaError_t call(void* storage, size_t& bytes, const int* keys, const float* in, long long n, int* keys_out, float* out,
                 long long* count) {
  return cub::DeviceSelect::UniqueByKey(storage, bytes, keys, in, keys_out, out, count, n);
}
