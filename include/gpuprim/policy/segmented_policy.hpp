// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim {

/// The shapes of a segmented reduce. Figures: one H200, toolkit 13.0, sums of 2^28 floats in segments of 64 by 32-bit
/// offsets in a CUDA graph, microseconds, CUB 3.5 4710; docs/tuning/segmented_reduce.md has the rest.
struct segmented_policy {
  /// 128 threads, of which 6 blocks (80 registers) fit a multiprocessor: 313. 8 blocks (64 registers): 318, and 365 where
  /// 316 is possible with 64-bit offsets.
  static constexpr int block_size = 128, blocks_per_multiprocessor = 6;
  /// Bytes of values that a lane takes of a tile. In an earlier version 359, and 384 with 96 bytes.
  static constexpr int lane_bytes = 128;
  /// Rows of 32 segments that a tile takes: as many as there are in a tile of segments of 4 floats.
  static constexpr int rows = 7;
  /// Wide loads that a lane has under way within a long segment; 16 are no faster.
  static constexpr int unit_loads = 8;
  /// Values from which on whole blocks take a segment: 237 of fixed length 16384, where shares for warps take 251.
  static constexpr int least_block_values = 8192;
};

}  // namespace gpuprim
