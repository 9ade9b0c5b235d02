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
inline constexpr run_policy reduce_by_key_policy{256, 4, 80};
inline constexpr run_policy run_length_policy{256, 4, 112};

}  // namespace gpuprim
