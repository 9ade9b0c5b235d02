// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_select.cuh>

cudaError_t heads(const float* values, std::int64_t n, float* out, std::int64_t* count, cudaStream_t stream,
                  void* storage, std::size_t& bytes) {
  return cub::DeviceSelect::Unique(storage, bytes, values, out, count, n, stream);
}
