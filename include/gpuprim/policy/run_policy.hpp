// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gpuprim {

/// The shape of a pass over runs: threads in a block, blocks on a multiprocessor, and bytes of keys or of values,
/// whichever have more, that a thread takes of a tile.
struct run_policy {
  int block_size;
  int blocks_per_multiprocessor;
  int lane_bytes;
  int stages = 2;             ///< tiles of a block in shared memory: one is worked on, the others on their way; with
                              ///< 1, each block takes one tile alone
  int most_blocks = 1 << 16;  ///< on the whole GPU

  friend constexpr bool operator==(const run_policy&, const run_policy&) = default;
};

/// The shape for few keys, which are to be spread over all multiprocessors, and the one for more.
struct run_policies {
  run_policy few, many;
  std::int64_t most_few;  ///< keys

  constexpr run_policies(run_policy f, run_policy m, std::int64_t most) : few(f), many(m), most_few(most) {}
  constexpr run_policies(run_policy always) : run_policies(always, always, 0) {}
};

// An odd number of words a lane, of the widest that its bytes are a multiple of: lanes that read them at this distance
// from each other meet in no bank. Figures: one H200, toolkit 13.0, CUDA graph, microseconds, 2^26 keys in runs of 1,
// 13, 1000; docs/tuning/runs.md.

/// Keys and values of up to 4 bytes: 308, 189, 181; values of float 317, 183, 174. {256, 4, 48} 309, 183, 177; but of
/// float 357, 237, 218: its 64 registers are too few for them.
inline constexpr run_policies reduce_by_key_policy{{128, 8, 16, 1}, {192, 4, 60}, 1 << 17};
/// Wider ones; keys of 8 bytes: 459, 249, 241. {192, 4, 80} 509, 260, 243.
inline constexpr run_policies wide_reduce_by_key_policy{{128, 8, 16, 1}, {256, 3, 72}, 1 << 16};
/// Keys alone: 253, 107, 104. {128, 1, 88}, of which as many fit, 251, 144, 136.
inline constexpr run_policies run_length_policy{{128, 8, 48, 1}, {256, 4, 80}, 1 << 18};

}  // namespace gpuprim
