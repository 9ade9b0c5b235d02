// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_adjacent_difference.cuh>

cudaError_t differences(const float* values, std::int64_t n, float* results, cudaStream_t stream, void* storage,
                        std::size_t& bytes) {
  return cub::DeviceAdjacentDifference::SubtractLeftCopy(storage, bytes, values, results, n, cuda::std::minus<>{},
                                                         stream);
}
