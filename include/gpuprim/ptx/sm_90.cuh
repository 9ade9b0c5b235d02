// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

namespace gpuprim::ptx {

/// Waits until the kernels that this launch depends on have ended and their writes are visible. A kernel that is
/// launched early (programmatic dependent launch) must call it before it touches global memory; otherwise it returns at
/// once.
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

/// The lowest PTX version (10 x compute capability) whose code holds the two instructions above. A launch may ask for
/// an early start only if the code that the driver picked is of this version: ask the kernel, not the device.
inline constexpr int early_start_ptx_version = 90;

/// True if one instruction compares two 16-bit integers at once on the GPU compiled for, and T fits one.
template <class T>
inline constexpr bool has_packed_extrema =
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    std::is_integral_v<T> && sizeof(T) <= 2;
#else
    false;
#endif

/// The least of the 8- or 16-bit integers in 16 bytes, or the greatest.
template <bool Least, class T>
__device__ __forceinline__ T find_packed_extreme(const uint4& packed) {
#if defined(SIMT_DEVICE)
  T parts[16 / sizeof(T)];
  std::memcpy(parts, &packed, sizeof packed);
  T best = parts[0];
  for (T part : parts) best = Least == (part < best) ? part : best;
  return best;
#else
  auto join = [](unsigned a, unsigned b) {
    if constexpr (std::is_signed_v<T>) return Least ? __vmins2(a, b) : __vmaxs2(a, b);
    else return Least ? __vminu2(a, b) : __vmaxu2(a, b);
  };
  unsigned best = join(join(packed.x, packed.y), join(packed.z, packed.w));
  if constexpr (sizeof(T) == 1) {
    // The upper byte of each half decides, whatever stands below it; a shift brings the lower bytes there.
    best = join(best, join(join(packed.x << 8, packed.y << 8), join(packed.z << 8, packed.w << 8)));
  }
  best = join(best, best << 16) >> (sizeof(T) == 1 ? 24 : 16);
  T value;
  std::memcpy(&value, &best, sizeof value);
  return value;
#endif
}

}  // namespace gpuprim::ptx
