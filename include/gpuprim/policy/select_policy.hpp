// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// A launch shape of a select.
struct select_policy {
  int block_size = 0;                 ///< 0: there is no such shape
  int blocks_per_multiprocessor = 0;  ///< that registers must leave room for
  int lane_bytes = 0;                 ///< of elements that a thread takes of a tile

  friend constexpr bool operator==(const select_policy&, const select_policy&) = default;
};

/// The shapes of a select. With `least` and `few` a block takes one tile, and all tiles are worked on at once: up to
/// `most_least_tiles` of the first, and then as many of the second as the GPU holds. With the others a block takes tile
/// after tile, of which three are in shared memory. `large` is taken from `least_large_bytes` of elements on, where a
/// multiprocessor has room for it; every GPU has room for `medium`, some with fewer threads.
struct select_policies {
  select_policy least{}, few{}, medium{}, large{};
  int most_least_tiles = 0;
  long long least_large_bytes = 0;

  friend constexpr bool operator==(const select_policies&, const select_policies&) = default;
};

// The bytes of a lane are an odd number of 16 bytes, so that lanes which read them together meet in no bank. Larger
// tiles cost less look-back, but a GPU has work for all multiprocessors only if there are many: see docs/lab/select.md.
inline constexpr select_policies tuned_select_policies{
    .least = {.block_size = 128, .blocks_per_multiprocessor = 2, .lane_bytes = 48},
    .few = {.block_size = 256, .blocks_per_multiprocessor = 2, .lane_bytes = 80},
    .medium = {.block_size = 256, .blocks_per_multiprocessor = 2, .lane_bytes = 80},
    .large = {.block_size = 512, .blocks_per_multiprocessor = 1, .lane_bytes = 112},
    .most_least_tiles = 128,
    .least_large_bytes = 16LL << 20,
};

}  // namespace gpuprim
