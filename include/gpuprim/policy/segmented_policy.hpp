// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// The shapes of a segmented reduce, and the limits between its kernels. docs/segmented_reduce.md says which kernel
/// takes what; docs/lab/segmented_reduce.md has the measurements.
struct segmented_policy {
  /// Threads of a block of the kernel for offsets and bounds. Larger blocks wait longer for their slowest warp.
  static constexpr int block_size = 128;
  /// Blocks on a multiprocessor, which bound the registers of a thread: for accumulators of up to 4 bytes, and of more.
  static constexpr int word_blocks_per_multiprocessor = 6, wide_blocks_per_multiprocessor = 5;
  /// The shape of the kernel for so few segments that each of its warps has one: a small grid starts sooner, and as
  /// many threads still read memory at full speed.
  static constexpr int few_block_size = 256, few_blocks_per_multiprocessor = 2;
  /// Bytes of accumulators in a warp's tile. Larger tiles leave shared memory for fewer warps.
  static constexpr int tile_bytes = 4096;
  /// Rows of segment ends up to which a tile's values pass the L1 cache by, so that the cache keeps the ends.
  static constexpr int past_l1_rows = 2;
  /// Loads that a lane has in flight in a long segment, in one that some lanes of a warp share, and in one of few.
  static constexpr int long_loads = 8, team_loads = 4, few_loads = 16;

  /// Rounds of loads that a warp makes for all segments of its row at most. More work than that is shared out evenly.
  static constexpr int most_team_rounds = 8;
  /// How many times the average a segment may have before the whole block takes it, where teams take the others.
  static constexpr int most_team_ratio = 16;
  /// Average bytes of a segment from which on blocks take whole segments.
  static constexpr int least_block_bytes = 14000;
  /// Bytes that a lone block reads while shares find their places and join their edges: blocks take whole segments of
  /// up to so many bytes, for a longer one would be waited for longer.
  static constexpr int most_block_bytes = 98304;
  /// Segments of less than so many bytes are drawn several at a time, so that a draw is not waited for.
  static constexpr int draw_bytes = 65536;

  /// Values up to which one lane takes a segment by bounds, and how many they may be on average in a row.
  static constexpr int most_lane_values = 48, most_average_lane_values = 16;
  /// Values from which on a segment by bounds is listed for all blocks, and places for parts in the list for each
  /// block.
  static constexpr int least_listed_values = 8192, list_places_per_block = 8;

  /// Values of a segment of one length that one lane takes: more lanes would have an edge each.
  static constexpr int most_fixed_lane_values = 11;
  /// Bytes from which on a block takes a segment of one length, and from which on lanes of a warp share it even where
  /// rows could be read together.
  static constexpr int least_fixed_block_bytes = 7168, least_team_bytes = 320;
  /// Threads of blocks that take segments of one length by groups of lanes or by rows.
  static constexpr int fixed_block_size = 256;
  /// Values of a part at least, and parts of a segment at most, which one block joins.
  static constexpr int least_part_values = 8192, most_parts = 1024;
};

}  // namespace gpuprim
