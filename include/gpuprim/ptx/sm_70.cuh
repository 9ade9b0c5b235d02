// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

#include <cstdint>

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

/// Writes 8 bytes at once, visible to the whole GPU; orders nothing else.
__device__ __forceinline__ void store_relaxed(std::uint64_t* to, std::uint64_t value) {
#if defined(SIMT_DEVICE)
  ::simt::store_relaxed(to, value);
#else
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#endif
}

/// Writes 8 bytes at once, visible to the host and other devices too; orders nothing else.
__device__ __forceinline__ void store_system(std::uint64_t* to, std::uint64_t value) {
#if defined(SIMT_DEVICE)
  ::simt::store_relaxed(to, value);
#else
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#endif
}

/// Reads 8 bytes at once, as written by any block; orders nothing else. What polls must read through it.
__device__ __forceinline__ std::uint64_t load_relaxed(const std::uint64_t* from) {
#if defined(SIMT_DEVICE)
  return ::simt::load_relaxed(from);
#else
  std::uint64_t value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
#endif
}

}  // namespace gpuprim::ptx
