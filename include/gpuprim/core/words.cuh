// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/uninitialized.hpp>

#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {

/// The widest words that `Bytes` bytes consist of: one access of a thread moves at most 16 bytes.
template <int Bytes>
struct widest_words {
  static constexpr int lowest_bit = Bytes & -Bytes;
  static constexpr int word_bytes = lowest_bit < 16 ? lowest_bit : 16;
  static constexpr int count = Bytes / word_bytes;
  using narrow =
      std::conditional_t<word_bytes == 4, unsigned, std::conditional_t<word_bytes == 2, unsigned short, unsigned char>>;
  using type = std::conditional_t<word_bytes == 16, uint4, std::conditional_t<word_bytes == 8, uint2, narrow>>;
};

/// Calls `go(i)` for i from 0 to Count - 1, where loops over values of type T or their words unroll; of longer values
/// they stay loops.
template <class T, int Count, class Go>
__device__ __forceinline__ void for_words(const Go& go) {
  if constexpr (sizeof(T) > most_unrolled_bytes) {
#pragma unroll 1
    for (int i = 0; i < Count; ++i) go(i);
  } else {
#pragma unroll
    for (int i = 0; i < Count; ++i) go(i);
  }
}

/// Calls `go(stride)` for the powers of two below Most, so far as they are below `end`, in a loop over joins of values
/// of type T that unrolls as for_words.
template <class T, int Most, class Go>
__device__ __forceinline__ void for_strides(int end, const Go& go) {
  if constexpr (sizeof(T) > most_unrolled_bytes) {
#pragma unroll 1
    for (int stride = 1; stride < Most && stride < end; stride *= 2) go(stride);
  } else {
#pragma unroll
    for (int stride = 1; stride < Most; stride *= 2) {
      if (stride >= end) break;
      go(stride);
    }
  }
}

}  // namespace gpuprim::detail
