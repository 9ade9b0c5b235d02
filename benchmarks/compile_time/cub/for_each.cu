// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_for.cuh>

struct put_positive {
  float* out;
  __host__ __device__ void operator()(float x) const {
    if (x > 0) *out = x;
  }
};

cudaError_t call(void* storage, size_t& bytes, const float* in, long long n, float* out) {
  return cub::DeviceFor::ForEachN(storage, bytes, in, n, put_positive{out});
}
