// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim {

/// The shape of a pass over runs: threads in a block, blocks on a multiprocessor, and bytes of keys or of values, whichever
/// have more, that a thread takes of a tile.
struct run_policy {
  int block_size;
  int blocks_per_multiprocessor;
  int lane_bytes;

  friend constexpr bool operator==(const run_policy&, const run_policy&) = default;
};

// An odd number of 16-byte loads a lane: lanes that read them at this distance from each other meet in no bank.
// Figures: one H200, toolkit 13.0, 2^26 keys of 32 bits in runs of 13, CUDA graph, microseconds; docs/tuning/runs.md.

/// Values of 32 bits: 202. {256, 3, 80} 219, {512, 2, 80} 230, {128, 8, 80} 220. For runs of 1: 361, 337, 371, 389.
inline constexpr run_policy reduce_by_key_policy{256, 4, 80};
/// Keys alone: 129. {256, 3, 112} 145, {256, 5, 80} 140, {512, 2, 112} 140, {128, 10, 80} 147.
inline constexpr run_policy run_length_policy{256, 4, 112};

}  // namespace gpuprim
