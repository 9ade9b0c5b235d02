// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// How many keys of each digit lie in the tiles before one: a decoupled look-back for each digit. A tile publishes its
/// own counts, and adds those of the tiles before it until it meets a tile that knows the sum of all up to it; then it
/// publishes that too. A word has a count and says which of the two it is, so that it needs no fence.
/// See Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
///
/// A sum may go from tile to tile here, unlike in `tile_counts`: a tile has hundreds of counts, and to read those of
/// all tiles that are worked on would be more than its keys.
template <int Bins>
struct digit_look_back {
  static constexpr unsigned of_tile = 1u << 30, of_all = 2u << 30, count_mask = of_tile - 1;
  static constexpr std::int64_t most_items = count_mask;  ///< in all tiles

  std::uint32_t* words;  ///< Bins for each tile, 0 before the launch

  __device__ std::uint32_t* word_of(int tile, int digit) const { return words + std::int64_t(tile) * Bins + digit; }

  /// One thread of the block calls it for each digit, and later `sum_before`. Tiles before must have been taken.
  __device__ void publish(int tile, int digit, unsigned count) const {
    ptx::store_relaxed(word_of(tile, digit), count | (tile == 0 ? of_all : of_tile));
  }
  __device__ unsigned sum_before(int tile, int digit, unsigned count) const {
    if (tile == 0) return 0;
    constexpr int batch = 8;  // tiles that are asked for at once: where all work at the same time, none knows a sum yet
    unsigned sum = 0;
    bool is_whole = false;
    for (int before = tile - 1; !is_whole; before -= batch) {
      unsigned words[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        words[k] = before >= k ? ptx::load_relaxed(word_of(before - k, digit)) : unsigned(of_all);
      }
#pragma unroll
      for (int k = 0; k < batch && !is_whole; ++k) {
        while (words[k] == 0) words[k] = ptx::load_relaxed(word_of(before - k, digit));
        sum += words[k] & count_mask;
        is_whole = (words[k] & of_all) != 0;
      }
    }
    ptx::store_relaxed(word_of(tile, digit), (sum + count) | of_all);
    return sum;
  }
};

}  // namespace gpuprim::detail
