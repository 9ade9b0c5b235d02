// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_reduce.cuh>

#include <cuda/std/functional>

cudaError_t sums(const int* keys, const float* values, std::int64_t n, int* unique, float* sums, std::int64_t* runs,
                 cudaStream_t stream, void* storage, std::size_t& bytes) {
  return cub::DeviceReduce::ReduceByKey(storage, bytes, keys, unique, values, sums, runs, cuda::std::plus<float>{}, n,
                                        stream);
}
