// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {

/// A bit for each of a thread's elements.
template <int Items>
using item_bits = std::conditional_t<(Items > warp_size), unsigned long long, unsigned>;

template <class Bits>
__device__ __forceinline__ int count_bits(Bits bits) {
  if constexpr (sizeof(Bits) > 4) return __popcll(bits);
  else return __popc(bits);
}
/// The number of the lowest bit that is set.
template <class Bits>
__device__ __forceinline__ int lowest_bit(Bits bits) {
  if constexpr (sizeof(Bits) > 4) return __ffsll(static_cast<long long>(bits)) - 1;
  else return __ffs(int(bits)) - 1;
}
/// The bits of the first `count` elements, of which there may be less than none or more than all.
template <int Items>
__device__ __forceinline__ item_bits<Items> first_bits(int count) {
  constexpr int bits = int(sizeof(item_bits<Items>)) * 8;
  constexpr item_bits<Items> all = ~item_bits<Items>{0} >> (bits - Items);
  return count >= Items ? all : count <= 0 ? 0 : all >> (Items - count);
}

/// Lists the places in a tile of those of a thread's elements whose bits are set. The thread's first element is at
/// place `first`. All lanes of a warp call it.
template <int Items>
__device__ __forceinline__ void list_places(item_bits<Items> chosen, int first, std::uint16_t* to) {
  if (__any_sync(0xffffffffu, detail::count_bits(chosen) > Items / 4)) {  // a loop over so many bits takes longer
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      if (chosen >> k & 1) *to++ = std::uint16_t(first + k);
    }
  } else {
#pragma unroll 1
    for (item_bits<Items> left = chosen; left != 0; left &= left - 1) {
      *to++ = std::uint16_t(first + detail::lowest_bit(left));
    }
  }
}

}  // namespace gpuprim::detail
