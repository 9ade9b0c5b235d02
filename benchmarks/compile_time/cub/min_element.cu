// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_reduce.cuh>

cudaError_t least(const float* in, std::int64_t n, float* out, std::int64_t* position, cudaStream_t stream,
                  void* storage, std::size_t& bytes) {
  return cub::DeviceReduce::ArgMin(storage, bytes, in, out, position, n, stream);
}
