// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

namespace gpuprim::ptx {

/// Waits until the kernels that this launch depends on have ended and their writes are visible. A kernel that is launched
/// early (programmatic dependent launch) must call it before it touches global memory; otherwise it returns at once.
__device__ __forceinline__ void wait_for_previous_grid() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Lets the next launch in the stream, if it asked for that, take its place on the GPU before this grid has ended.
__device__ __forceinline__ void let_next_grid_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// Asks for the cache line of an address to be brought to the L2 cache. It reads nothing: the L2 is where all writes
/// meet, so that it may be called before `wait_for_previous_grid()`.
__device__ __forceinline__ void prefetch_to_l2(const void* address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
  (void)address;
#endif
}

/// The lowest PTX version (10 x compute capability) whose code holds the two instructions above. A launch may ask for an
/// early start only if the code that the driver picked is of this version: ask the kernel, not the device.
inline constexpr int early_start_ptx_version = 90;

}  // namespace gpuprim::ptx
