// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

namespace gpuprim::ptx {

/// The calling thread's lane in its warp.
__device__ __forceinline__ unsigned lane() {
#if defined(SIMT_DEVICE)
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warp_size;
#else
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
#endif
}

}  // namespace gpuprim::ptx
