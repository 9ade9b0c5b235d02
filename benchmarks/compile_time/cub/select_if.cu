// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_select.cuh>

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

cudaError_t positives(const float* values, std::int64_t n, float* out, std::int64_t* count, cudaStream_t stream,
                      void* storage, std::size_t& bytes) {
  return cub::DeviceSelect::If(storage, bytes, values, out, count, n, is_positive{}, stream);
}
