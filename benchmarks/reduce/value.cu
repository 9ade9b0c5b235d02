// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of floats as a value on the host, as a user of each library gets it.
#include "../support/check.hpp"
#include "passes.hpp"

#include <gpuprim/reduce.cuh>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <cub/device/device_reduce.cuh>

namespace bench {

int toolkit_cub_version() { return CUB_VERSION; }
int toolkit_thrust_version() { return THRUST_VERSION; }

namespace {

float with_gpuprim(const float* in, std::int64_t n, void*, cudaStream_t s) {
  return gpuprim::reduce_value(in, n, gpuprim::plus{}, 0.0f, {.stream = s});
}

float with_thrust(const float* in, std::int64_t n, void*, cudaStream_t s) {
  return thrust::reduce(thrust::cuda::par.on(s), in, in + n);
}

float* page_locked_float() {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, sizeof(float), cudaHostAllocDefault), "allocate page-locked memory");
  return static_cast<float*>(memory);
}

/// With storage, and page-locked memory for the result, allocated beforehand.
float with_cub(const float* in, std::int64_t n, void* storage, cudaStream_t s) {
  static_assert(value_storage_bytes > 256);
  float* out = static_cast<float*>(storage);
  std::size_t bytes = value_storage_bytes - 256;
  static float* const result = page_locked_float();
  check(cub::DeviceReduce::Sum(static_cast<char*>(storage) + 256, bytes, in, out, n, s), "CUB's sum");
  check(cudaMemcpyAsync(result, out, sizeof(float), cudaMemcpyDeviceToHost, s), "copy the result");
  check(cudaStreamSynchronize(s), "synchronise");
  return *result;
}

[[maybe_unused]] const bool added = [] {
  value_entries() = {{"gpuprim", "reduce_value", &with_gpuprim},
                     {"thrust", "thrust::reduce", &with_thrust},
                     {"cub", "DeviceReduce::Sum, copy, sync", &with_cub}};
  return true;
}();

}  // namespace

}  // namespace bench
