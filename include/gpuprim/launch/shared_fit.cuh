// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/ask_once.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// What a launch needs to know of a kernel whose blocks have a multiprocessor each, with all of its shared memory.
struct shared_fit {
  std::int32_t dynamic_bytes;  ///< most dynamic shared memory of a block
  std::int16_t multiprocessors;
  std::int16_t ptx_version;  ///< as in kernel_fit
};

/// Lets the kernel have all shared memory; once a kernel and device.
template <auto Kernel>
cudaError_t find_shared_fit(shared_fit& fit) {
  return ask_once(fit, [](int device, shared_fit& found) {
    const auto* kernel = reinterpret_cast<const void*>(Kernel);
    int multiprocessors = 0, bytes = 0;
    cudaFuncAttributes attributes;
    if (cudaError_t e = cudaFuncGetAttributes(&attributes, kernel)) return e;
    if (cudaError_t e = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)) return e;
    if (cudaError_t e = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) return e;
    bytes -= int((attributes.sharedSizeBytes + 1023) / 1024 * 1024);
    found = {bytes, std::int16_t(multiprocessors), std::int16_t(attributes.ptxVersion)};
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  });
}

}  // namespace gpuprim::detail
