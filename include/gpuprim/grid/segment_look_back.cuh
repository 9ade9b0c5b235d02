// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// As `digit_look_back`, for several passes over the tiles of many segments: a word also says which pass has written
/// it, so that the words need not be cleared between passes. The look-back ends at the first tile of the segment.
template <int Bins>
struct segment_look_back {
  static constexpr int pass_shift = 48;  ///< behind 47 bits of a count, and one that says of what
  static constexpr std::uint64_t of_all = std::uint64_t{1} << (pass_shift - 1);

  std::uint64_t* words;  ///< Bins for each tile, 0 before the first pass
  int pass;              ///< from 1 on

  __device__ std::uint64_t* word_of(std::int64_t tile, int digit) const { return words + tile * Bins + digit; }
  __device__ std::uint64_t mark() const { return std::uint64_t(pass) << pass_shift; }

  /// One thread of the block calls it for each digit, and later `sum_before`. Tiles before must have been taken.
  /// `index`: of the tile in its segment.
  __device__ void publish(std::int64_t tile, int index, int digit, unsigned count) const {
    ptx::store_relaxed(word_of(tile, digit), mark() | (index == 0 ? of_all : 0) | count);
  }
  __device__ std::uint64_t sum_before(std::int64_t tile, int index, int digit, unsigned count) const {
    if (index == 0) return 0;
    std::uint64_t sum = 0;
    for (std::int64_t before = tile - 1;; --before) {
      std::uint64_t word;
      do {
        word = ptx::load_relaxed(word_of(before, digit));
      } while (word >> pass_shift != unsigned(pass));
      sum += word & (of_all - 1);
      if ((word & of_all) != 0) break;
    }
    ptx::store_relaxed(word_of(tile, digit), mark() | of_all | (sum + count));
    return sum;
  }
};

}  // namespace gpuprim::detail
