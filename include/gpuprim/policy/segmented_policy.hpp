// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim {

/// The shapes of a segmented reduce. Figures: one H200, toolkit 13.0, sums of 2^28 floats in segments of 64 by 32-bit
/// offsets in a CUDA graph, microseconds, CUB 3.6 4709; docs/tuning/segmented_reduce.md has the rest.
struct segmented_policy {
  /// 128 threads, of which 6 blocks (80 registers) fit a multiprocessor: 279 with all values through the L1 cache. 5
  /// blocks: 282, and 300 instead of 295 at 16 values, though 408 instead of 413 at 4. 7 blocks, of version 11: 298
  /// instead of 286.
  static constexpr int block_size = 128, blocks_per_multiprocessor = 6;
  /// Bytes of accumulators in a tile. With half as many and 8 blocks: 309.
  static constexpr int tile_bytes = 4096;
  /// Rows of 32 segments that a tile takes: as many as there are in a tile of segments of 4 floats.
  static constexpr int rows = 8;
  /// Rows of 32 segments up to which a tile's values pass the L1 cache by, so that it keeps the ends of the next tiles:
  /// 273 instead of 278. Always: 277, and 422 instead of 413 at 4 values.
  static constexpr int past_l1_rows = 2;
  /// Bytes of results that a warp holds back, to write whole lines and several at once: 278, with none held back 285.
  /// 256: 284; 1024: 272, but 289 instead of 267 where lengths are Zipf 1.5.
  static constexpr int held_bytes = 512;
  /// Threads of the kernel for short segments of one length: 250.9. 128: 251.0, 512: 252.1.
  static constexpr int row_block_size = 256;
  /// Wide loads that a lane has under way within a long segment; 16 are no faster.
  static constexpr int unit_loads = 8;
  /// The same where a block takes segments of several lengths: its warps come out more evenly. 246 for lengths of 0 to
  /// 40000 (CUB 246), with 8 loads 252, with 2 245.
  static constexpr int uneven_unit_loads = 4;
  /// Values from which on whole blocks take a segment: 237 of fixed length 16384, where shares for warps take 251.
  static constexpr int least_block_values = 8192;
};

}  // namespace gpuprim
