// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_select.cuh>

cudaError_t call(void* storage, size_t& bytes, const float* in, const bool* flags, long long n, float* out,
                 long long* count) {
  return cub::DeviceSelect::Flagged(storage, bytes, in, flags, out, count, n);
}
