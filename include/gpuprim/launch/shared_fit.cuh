// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/launch_plan.cuh>

namespace gpuprim::detail {

/// What a launch needs to know of a kernel whose blocks have a multiprocessor each, with all of its shared memory.
struct shared_fit {
  std::int32_t dynamic_bytes;  ///< most dynamic shared memory of a block
  std::int16_t multiprocessors;
  std::int16_t ptx_version;  ///< as in kernel_fit
};

/// Lets the kernel have all shared memory; once a kernel and device, as find_kernel_fit.
template <auto Kernel>
cudaError_t find_shared_fit(shared_fit& fit) {
  static std::atomic<shared_fit> cache[cached_devices];
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  const bool cached = device < cached_devices;
  if (cached) {
    fit = cache[device].load(std::memory_order_relaxed);
    if (fit.multiprocessors > 0) return cudaSuccess;
  }
  const auto* kernel = reinterpret_cast<const void*>(Kernel);
  int multiprocessors = 0, shared_bytes = 0;
  cudaFuncAttributes attributes;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, kernel)) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) return e;
  shared_bytes -= int((attributes.sharedSizeBytes + 1023) / 1024 * 1024);
  if (cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes)) return e;
  fit = {shared_bytes, std::int16_t(multiprocessors), std::int16_t(attributes.ptxVersion)};
  if (cached) cache[device].store(fit, std::memory_order_relaxed);
  return cudaSuccess;
}

}  // namespace gpuprim::detail
