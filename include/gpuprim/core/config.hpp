// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if __cplusplus < 202002L
#error "gpuprim needs C++20: pass -std=c++20 (CMake: link the target gpuprim::gpuprim)."
#endif

#if defined(__CUDACC__) && defined(__CUDACC_VER_MAJOR__) && \
    (__CUDACC_VER_MAJOR__ < 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 4))
#error "gpuprim needs the CUDA toolkit 12.4 or newer."
#endif

/// Functions that run on both sides. Plain g++ and the host SIMT device need no marking.
#if defined(__CUDACC__)
#define GPUPRIM_HOST_DEVICE __host__ __device__
#else
#define GPUPRIM_HOST_DEVICE
#endif

namespace gpuprim::inline v0_1_0 {

/// Lanes in a warp, on every GPU so far.
inline constexpr int warp_size = 32;

/// Threads in the largest block that any GPU launches.
inline constexpr int max_block_size = 1024;

namespace detail {

template <class... More>
GPUPRIM_HOST_DEVICE constexpr int larger(int a, int b, More... more) {
  const int most = a < b ? b : a;
  if constexpr (sizeof...(More) == 0) return most;
  else return larger(most, more...);
}

/// Where an object lies, also if its type has an operator& of its own.
template <class T>
GPUPRIM_HOST_DEVICE constexpr T* pointer_to(T& object) {
  return __builtin_addressof(object);
}

}  // namespace detail

}  // namespace gpuprim
