// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <type_traits>

namespace gpuprim::inline v0_1_0::detail {

/// The widest words that `Bytes` bytes consist of: one access of a thread moves at most 16 bytes.
template <int Bytes>
struct widest_words {
  static constexpr int lowest_bit = Bytes & -Bytes;
  static constexpr int word_bytes = lowest_bit < 16 ? lowest_bit : 16;
  static constexpr int count = Bytes / word_bytes;
  using narrow = std::conditional_t<word_bytes == 4, unsigned,
                                    std::conditional_t<word_bytes == 2, unsigned short, unsigned char>>;
  using type =
      std::conditional_t<word_bytes == 16, uint4, std::conditional_t<word_bytes == 8, uint2, narrow>>;
};

}  // namespace gpuprim::detail
