// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/operator_traits.hpp>

namespace gpuprim::inline v0_2_0::ptx {

/// True if one instruction (redux.sync) reduces `T` under `Op` over the lanes of a mask on the GPU compiled for.
template <class Op, class T>
inline constexpr bool has_redux =
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    detail::is_library_operator_on<Op, T> && std::is_integral_v<T> && sizeof(T) == 4 &&
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

/// True if the GPU compiled for multiplies and adds 16-bit floats of the type with one rounding.
template <class T>
inline constexpr bool has_half_fma =
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    is_half_precision<T>;
#else
    std::is_same_v<T, __half>;
#endif

/// Copies 4, 8 or 16 bytes from global to shared memory asynchronously, past the registers; 16 bytes also bypass the L1
/// cache. Both addresses are aligned to the size. The copy is visible to the calling thread after `wait_for_copies()`,
/// or after `wait_for_groups()` if it is in a group.
template <class T>
  requires(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
__device__ __forceinline__ void copy_async(T* to_shared, const T* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  if constexpr (sizeof(T) == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(T)) : "memory");
  }
#elif defined(SIMT_DEVICE)
  ::simt::copy_async(to_shared, from, sizeof(T));
#else
  *to_shared = *from;
#endif
}

/// Waits for all copies that the calling thread has begun.
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#elif defined(SIMT_DEVICE)
  ::simt::wait_for_copies();
#endif
}

/// Makes a group, which may be empty, of the copies that the calling thread has begun since its last group.
__device__ __forceinline__ void end_copy_group() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#elif defined(SIMT_DEVICE)
  ::simt::end_copy_group();
#endif
}

/// Waits for all groups of the calling thread but the last `Pending`.
template <int Pending>
__device__ __forceinline__ void wait_for_groups() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#elif defined(SIMT_DEVICE)
  ::simt::wait_for_groups(Pending);
#endif
}

}  // namespace gpuprim::ptx
