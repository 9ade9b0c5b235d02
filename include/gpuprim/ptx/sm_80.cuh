// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

#include <cuda_runtime.h>

namespace gpuprim::ptx {

/// True if one instruction (redux.sync) reduces `T` under `Op` over the lanes of a mask on the GPU compiled for.
template <class Op, class T>
inline constexpr bool has_redux =
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    std::is_integral_v<T> && sizeof(T) == 4 &&
    (detail::is_from<Op, plus> || detail::is_from<Op, minimum> || detail::is_from<Op, maximum> ||
     detail::is_from<Op, bit_and> || detail::is_from<Op, bit_or> || detail::is_from<Op, bit_xor>);
#else
    false;
#endif

/// Every lane named in `mask` gets the reduction of all their values.
template <class Op, class T>
  requires(has_redux<Op, T>)
__device__ __forceinline__ T redux(unsigned mask, T value) {
  using word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
  const auto v = static_cast<word>(value);
  if constexpr (detail::is_from<Op, plus>) return static_cast<T>(__reduce_add_sync(mask, v));
  else if constexpr (detail::is_from<Op, minimum>) return static_cast<T>(__reduce_min_sync(mask, v));
  else if constexpr (detail::is_from<Op, maximum>) return static_cast<T>(__reduce_max_sync(mask, v));
  else if constexpr (detail::is_from<Op, bit_and>) return static_cast<T>(__reduce_and_sync(mask, unsigned(value)));
  else if constexpr (detail::is_from<Op, bit_or>) return static_cast<T>(__reduce_or_sync(mask, unsigned(value)));
  else return static_cast<T>(__reduce_xor_sync(mask, unsigned(value)));
}

/// Copies 16 bytes from global to shared memory on the side, past the registers and the L1 cache. Both addresses are
/// aligned to 16 bytes. The copy is there for the calling thread after `wait_for_copies()`.
__device__ __forceinline__ void copy_async(void* to_shared, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
#else
  *static_cast<uint4*>(to_shared) = *static_cast<const uint4*>(from);
#endif
}

/// Waits for all copies that the calling thread has begun.
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace gpuprim::ptx
