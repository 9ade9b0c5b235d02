// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

struct is_positive {
  __host__ __device__ long long operator()(float x) const { return x > 0; }
};

cudaError_t call(void* storage, size_t& bytes, const float* in, long long n, long long* out) {
  return cub::DeviceReduce::TransformReduce(storage, bytes, in, out, n, cuda::std::plus<>{}, is_positive{}, 0LL);
}
