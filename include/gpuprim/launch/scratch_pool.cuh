// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/ask_once.cuh>

#include <cuda_runtime.h>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// The pool that calls without a workspace take their memory from, one for each context. It keeps what is given back
/// to it: the device's own pool would return memory to the system whenever the program waits for the device, and the
/// next call would have to map it again.
inline cudaError_t make_scratch_pool(cudaMemPool_t& made) {
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  if (cudaError_t e = cudaMemPoolCreate(&made, &properties)) return e;
  std::uint64_t kept_bytes = UINT64_MAX;
  return cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &kept_bytes);
}

/// The context's pool. The first call makes it, which a capture would forbid: no work of the stream depends on it.
inline cudaError_t find_scratch_pool(cudaMemPool_t& pool) {
  return ask_once(pool, [](cudaMemPool_t& made) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    if (cudaError_t e = cudaThreadExchangeStreamCaptureMode(&mode)) return e;
    const cudaError_t error = detail::make_scratch_pool(made);
    const cudaError_t back = cudaThreadExchangeStreamCaptureMode(&mode);
    return error != cudaSuccess ? error : back;
  });
}

}  // namespace gpuprim::detail
