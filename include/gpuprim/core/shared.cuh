// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/uninitialized.hpp>

/// GPUPRIM_SHARED(name, type): block-shared storage, uninitialized, of a trivially default constructible type. On the
/// host SIMT device it is one heap object a block, so that several blocks can be resident and overruns are seen.
/// An array of local names, `element[count]`, gets an alias: cudafe++ of CUDA 12.4 fails where it is spelled here.
#if defined(SIMT_DEVICE)
#define GPUPRIM_SHARED(name, ...)                                                                                     \
  static_assert(std::is_trivially_default_constructible_v<std::remove_all_extents_t<__VA_ARGS__>>,                    \
                "GPUPRIM_SHARED: the type must be trivially default constructible; use gpuprim::shared_array");       \
  static const std::size_t name##_slot =                                                                              \
      ::simt::register_shared(sizeof(std::type_identity_t<__VA_ARGS__>), alignof(std::type_identity_t<__VA_ARGS__>)); \
  auto& name = *static_cast<std::type_identity_t<__VA_ARGS__>*>(::simt::shared_slot(name##_slot))
#else
#define GPUPRIM_SHARED(name, ...) __shared__ std::type_identity_t<__VA_ARGS__> name
#endif

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Static shared memory that a block may have on every GPU.
inline constexpr int most_static_shared_bytes = 48 * 1024;

/// Threads that a multiprocessor keeps at a time, on the GPU that is compiled for. A kernel's launch bounds may not ask
/// for more.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int most_resident_threads = 1024;
#else
inline constexpr int most_resident_threads = 1536;
#endif

/// A line of shared memory, which the copies of a warp fill at once.
struct alignas(128) shared_line {
  unsigned char bytes[128];
};

}  // namespace detail

/// The block's dynamic shared memory, sized by the launch and aligned to 16 bytes, or to 128 for types that ask for
/// more than 16.
template <class T>
__device__ T* dynamic_shared() {
  static_assert(alignof(T) <= alignof(detail::shared_line), "dynamic shared memory begins with a line, not more");
#if defined(SIMT_DEVICE)
  return static_cast<T*>(::simt::dynamic_shared());
#else
  if constexpr (alignof(T) > 16) {  // static variables before it would else put it anywhere
    extern __shared__ detail::shared_line gpuprim_dynamic_shared_lines[];
    return reinterpret_cast<T*>(gpuprim_dynamic_shared_lines);
  } else {
    extern __shared__ uint4 gpuprim_dynamic_shared[];
    return reinterpret_cast<T*>(gpuprim_dynamic_shared);
  }
#endif
}

}  // namespace gpuprim
