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

/// The shapes for few keys, for some, for more and for many. All but the last spread them over the multiprocessors, in
/// a tile a block.
struct run_policies {
  run_policy few;
  std::int64_t most_few;  ///< keys
  run_policy some;
  std::int64_t most_some;
  run_policy more;
  std::int64_t most_more;
  run_policy many;

  constexpr run_policies(run_policy f, std::int64_t most_f, run_policy s, std::int64_t most_s, run_policy r,
                         std::int64_t most_r, run_policy m)
      : few(f), most_few(most_f), some(s), most_some(most_s), more(r), most_more(most_r), many(m) {}
  constexpr run_policies(run_policy f, std::int64_t most_f, run_policy s, std::int64_t most_s, run_policy m)
      : run_policies(f, most_f, s, most_s, s, most_s, m) {}
  constexpr run_policies(run_policy always) : run_policies(always, 0, always, 0, always) {}
};

// An odd number of words a lane, of the widest that its bytes are a multiple of: lanes that read them at this distance
// from each other meet in no bank. Figures: one H200, toolkit 13.0, CUDA graph, microseconds, 2^26 keys in runs of 1,
// 13, 1000; docs/tuning/runs.md.

/// Keys and values of up to 4 bytes: 305, 161, 150.
inline constexpr run_policies reduce_by_key_policy{
    {128, 8, 16, 1}, 1 << 16, {128, 8, 80, 1}, 1 << 19, {256, 4, 88, 1}, 1 << 20, {256, 3, 52}};
/// One of them of up to 8; the keys: 453, 233, 212.
inline constexpr run_policies wide_reduce_by_key_policy{
    {128, 8, 16, 1}, 1 << 15, {128, 8, 80, 1}, 1 << 18, {288, 3, 120, 1}, 1 << 20, {256, 3, 72}};
/// Both.
inline constexpr run_policies twice_wide_reduce_by_key_policy{{128, 8, 16, 1}, 1 << 15, {128, 8, 80, 1}, 1 << 18,
                                                              {256, 3, 72}};
/// Wider ones, whose mailboxes would take much memory.
inline constexpr run_policies widest_reduce_by_key_policy{run_policy{256, 3, 72}};
/// Keys alone: 231, 89, 81.
inline constexpr run_policies run_length_policy{
    {128, 8, 16, 1}, 1 << 16, {128, 8, 80, 1}, 1 << 19, {736, 1, 44, 1}, 1 << 20, {256, 3, 92}};

}  // namespace gpuprim
