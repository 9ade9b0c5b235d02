// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_1_0 {

/// A launch shape of a select.
struct select_policy {
  int block_size = 0;                 ///< 0: there is no such shape
  int blocks_per_multiprocessor = 0;  ///< that registers must leave room for
  int lane_bytes = 0;                 ///< of elements that a thread takes of a tile
  int stages = 1;                     ///< tiles that a block has in shared memory; at least 3 of many

  friend constexpr bool operator==(const select_policy&, const select_policy&) = default;
};

/// The shapes of a select. With `few` a block takes one tile, and all tiles are worked on at once; it is taken where they
/// are few enough. With the others a block takes tile after tile, of which three are in shared memory. `large` is taken
/// from `least_large_bytes` of elements on, where a multiprocessor has room for it; every GPU has room for `medium`.
struct select_policies {
  select_policy few{}, medium{}, large{};
  long long least_large_bytes = 0;

  friend constexpr bool operator==(const select_policies&, const select_policies&) = default;
};

// The bytes of a lane are an odd number of 16 bytes, so that lanes which read them together meet in no bank. Larger
// tiles cost less look-back, but a GPU has work for all multiprocessors only if there are many.
inline constexpr select_policies tuned_select_policies{
    .few = {.block_size = 256, .blocks_per_multiprocessor = 2, .lane_bytes = 48},
    .medium = {.block_size = 256, .blocks_per_multiprocessor = 2, .lane_bytes = 48, .stages = 4},
    .large = {.block_size = 512, .blocks_per_multiprocessor = 1, .lane_bytes = 80, .stages = 4},
    .least_large_bytes = 64LL << 20,
};

}  // namespace gpuprim
