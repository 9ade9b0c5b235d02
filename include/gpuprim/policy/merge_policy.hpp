// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// The launch shape of merges, set operations and the passes of a merge sort.
struct merge_policy {
  int block_size = 0;                 ///< a power of two
  int blocks_per_multiprocessor = 1;  ///< that registers must leave room for, unless a lane has one long item
  int lane_bytes = 0;                 ///< of items that a thread takes of a tile
  int most_items = 0;                 ///< of short ones
  int search_lanes = 32;              ///< a power of two; they search for where a tile begins
  int shared_bytes = 0;               ///< that a tile may take, twice for pairs; with longer items, fewer threads do

  /// Items of a thread: an odd number, so that threads which access neighbouring ones meet in few banks.
  constexpr int items(int item_bytes) const {
    const int fit = lane_bytes / item_bytes < most_items ? lane_bytes / item_bytes : most_items;
    return fit < 1 ? 1 : (fit - 1) / 2 * 2 + 1;
  }
  /// Threads of a block.
  constexpr int threads(int item_bytes) const {
    int size = block_size;
    while (size > 32 && size * items(item_bytes) * item_bytes > shared_bytes) size /= 2;
    return size;
  }

  /// Blocks that a multiprocessor has room for.
  constexpr int blocks(int item_bytes) const { return item_bytes <= lane_bytes ? blocks_per_multiprocessor : 1; }

  friend constexpr bool operator==(const merge_policy&, const merge_policy&) = default;
};

// Each names all members: nvcc with clang behind it makes 0 of one that is skipped between others.

// For tiles that blocks search for themselves, which takes more registers.
inline constexpr merge_policy tuned_merge_policy{.block_size = 256,
                                                 .blocks_per_multiprocessor = 4,
                                                 .lane_bytes = 72,
                                                 .most_items = 17,
                                                 .search_lanes = 32,
                                                 .shared_bytes = 22 << 10};

// For many tiles, and for searches for sorted values: larger tiles need fewer searches, and fewer lanes read less.
inline constexpr merge_policy tuned_long_merge_policy{.block_size = 256,
                                                      .blocks_per_multiprocessor = 6,
                                                      .lane_bytes = 92,
                                                      .most_items = 23,
                                                      .search_lanes = 8,
                                                      .shared_bytes = 24 << 10};

// A block has the elements that it keeps of a tile beside the next one.
inline constexpr merge_policy tuned_set_policy{.block_size = 256,
                                               .blocks_per_multiprocessor = 4,
                                               .lane_bytes = 84,
                                               .most_items = 21,
                                               .search_lanes = 16,
                                               .shared_bytes = 22 << 10};

// A sort has a search for each of its passes, also where tiles are few: many lanes wait less often.
inline constexpr merge_policy tuned_merge_sort_policy{.block_size = 256,
                                                      .blocks_per_multiprocessor = 6,
                                                      .lane_bytes = 72,
                                                      .most_items = 17,
                                                      .search_lanes = 32,
                                                      .shared_bytes = 22 << 10};

}  // namespace gpuprim
