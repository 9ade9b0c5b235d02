// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Results that are listed, because a block does not hold all of a row: what they are sorted by, and how they are
// written when they are.
#include <gpuprim/core/radix_digits.hpp>
#include <gpuprim/device/top_k/top_k_row.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Words, and of equal words the places, from the least up.
template <class Word>
struct top_k_entry_digits {
  using stored = top_k_entry<Word>;
  static constexpr int word_bits = 8 * int(sizeof(Word)), bits = word_bits + 64;

  int place_bits;  ///< that are compared, a multiple of those of a digit

  GPUPRIM_HOST_DEVICE const stored& store(const stored& entry) const { return entry; }
  GPUPRIM_HOST_DEVICE const stored& load(const stored& entry) const { return entry; }
  GPUPRIM_HOST_DEVICE unsigned digit(const stored& entry, int first, unsigned mask) const {
    const auto place = std::uint64_t(entry.place);
    return unsigned(first < place_bits ? place >> first : std::uint64_t(entry.word) >> (first - place_bits)) & mask;
  }
};

/// How the results of a pass are sorted that are listed.
template <class Pass>
struct top_k_listing {
  using word = typename Pass::word;
  static constexpr bool keeps_places = Pass::places == top_k_places::kept;
  using digits =
      std::conditional_t<keeps_places, top_k_entry_digits<word>, number_digits<word, sort_direction::ascending>>;
  static constexpr int word_bits = 8 * int(sizeof(word)), digit_bits = 8;

  static digits digits_of(int place_bits) {
    if constexpr (keeps_places) return {place_bits};
    else return {};
  }
  /// The bits of places in a row of so many keys.
  static int count_place_bits(std::int64_t keys) {
    int bits = 0;
    while (keeps_places && bits < 64 && (keys - 1) >> bits != 0) bits += digit_bits;
    return bits;
  }
};

/// Writes results that are listed in order.
template <class Pass>
__global__ void __launch_bounds__(Pass::block_size) top_k_put_kernel(Pass pass) {
  using word = typename Pass::word;
  ptx::begin_kernel();
  const std::int64_t results = pass.rows.count * pass.list_length, step = std::int64_t(gridDim.x) * Pass::block_size;
  std::int64_t at = std::int64_t(blockIdx.x) * Pass::block_size + this_block::thread_rank();
  for (; at < results; at += step) {
    const std::int64_t row = at / pass.list_length, i = at - row * pass.list_length, begin = pass.rows.begin(row);
    if (i >= pass.rows.end(row) - begin || i >= pass.k_of(row)) continue;
    const auto& result = pass.list[at];
    if constexpr (Pass::places == top_k_places::kept) {
      pass.put(row * pass.k + i, begin, word(~result.word), result.place);
    } else {
      pass.put(row * pass.k + i, begin, word(~result), 0);
    }
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
