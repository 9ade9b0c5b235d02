// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Count values in registers, none constructed yet: `T` needs no default constructor.
template <class T, int Count>
union uninitialized_array {
  /// The values, once they are written.
  T items[Count];

  GPUPRIM_HOST_DEVICE constexpr uninitialized_array() {
#if !defined(__CUDA_ARCH__)  // kernels need none of this, and nvcc made other code of them with it
    // A constant expression may write only to what has begun to exist.
    if constexpr (std::is_trivially_default_constructible_v<T>) {
      if (__builtin_is_constant_evaluated()) {
        for (int i = 0; i < Count; ++i) items[i] = T();
      }
    }
#endif
  }
  /// Value i.
  GPUPRIM_HOST_DEVICE constexpr T& operator[](int i) { return items[i]; }
  /// Value i.
  GPUPRIM_HOST_DEVICE constexpr const T& operator[](int i) const { return items[i]; }
};

/// Bytes of a value up to which loops over its words and over joins of it unroll. Copies of longer ones, which no
/// registers hold, save little, and take long to compile.
inline constexpr int most_unrolled_bytes = 256;

/// For `#pragma unroll`: all turns, which are as many as there are words, or at most as lanes or warps, or one turn. A
/// larger factor would unroll the same loops, but some compilers first write out as many turns as it says.
template <class T>
inline constexpr int unroll_factor = sizeof(T) > most_unrolled_bytes ? 1
                                     : sizeof(T) > 128               ? (sizeof(T) + 3) / 4
                                                                     : 32;

/// Bytes for Count values in shared memory, where nothing may have a constructor.
template <class T, int Count>
struct shared_array {
  /// The storage.
  alignas(T) unsigned char bytes[Count * sizeof(T)];

  /// The first value.
  GPUPRIM_HOST_DEVICE T* data() { return reinterpret_cast<T*>(bytes); }
  /// Value i.
  GPUPRIM_HOST_DEVICE T& operator[](int i) { return data()[i]; }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
