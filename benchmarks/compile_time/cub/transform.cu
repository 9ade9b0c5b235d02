// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

struct twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

cudaError_t doubled(const float* values, std::int64_t n, float* results, cudaStream_t stream) {
  return cub::DeviceTransform::Transform(cuda::std::make_tuple(values), results, n, twice{}, stream);
}
