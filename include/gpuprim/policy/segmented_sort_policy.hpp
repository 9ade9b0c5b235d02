// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/policy/sort_policy.hpp>

namespace gpuprim::inline v0_1_0 {

/// Lanes of a warp that sort a segment, each with as many keys; of keys or values of more than 8 bytes fewer.
struct segment_tile_policy {
  int lanes = 1;  ///< a power of two
  int items = 1;  ///< from 1 to 8

  friend constexpr bool operator==(const segment_tile_policy&, const segment_tile_policy&) = default;
};

/// The shapes of a sort of segments, from the shortest ones to the longest. A segment is sorted by the first of the
/// tiles `tiny` to `wide` that holds it, or else by a block, `few` or `some`. Longer ones are sorted together by passes
/// over memory, in tiles of `many`; `counts` counts their digits. `tiles_block_size` is that of the four tiles.
struct segmented_sort_policies {
  segment_tile_policy tiny{}, narrow{}, middle{}, wide{};
  int tiles_block_size = 256;
  sort_policy few{}, some{}, many{}, counts{};

  friend constexpr bool operator==(const segmented_sort_policies&, const segmented_sort_policies&) = default;
};

inline constexpr segmented_sort_policies tuned_segmented_sort_policies{
    .tiny = {.lanes = 4, .items = 4},
    .narrow = {.lanes = 8, .items = 8},
    .middle = {.lanes = 16, .items = 8},
    .wide = {.lanes = 32, .items = 8},
    .tiles_block_size = 256,
    .few = {.block_size = 256, .blocks_per_multiprocessor = 4, .lane_bytes = 16, .digit_bits = 8},
    .some = {.block_size = 512, .blocks_per_multiprocessor = 2, .lane_bytes = 56, .digit_bits = 8},
    .many = {.block_size = 512, .blocks_per_multiprocessor = 2, .lane_bytes = 64, .digit_bits = 8},
    .counts = {.block_size = 512, .blocks_per_multiprocessor = 4, .lane_bytes = 32, .digit_bits = 8},
};

}  // namespace gpuprim
