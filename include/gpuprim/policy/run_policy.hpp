// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <initializer_list>

namespace gpuprim {

/// The shape of a pass over runs: threads in a block, blocks on a multiprocessor, and bytes of keys or of values,
/// whichever have more, that a thread takes of a tile.
struct run_policy {
  int block_size = 0;
  int blocks_per_multiprocessor = 0;
  int lane_bytes = 0;
  int stages = 2;             ///< tiles of a block in shared memory: one is worked on, the others on their way; with
                              ///< 1, each block takes one tile alone
  int most_blocks = 1 << 16;  ///< on the whole GPU
  int most_kib = 60;          ///< of shared memory for a block, which has as many threads as there is room for; every
                              ///< GPU has 60

  friend constexpr bool operator==(const run_policy&, const run_policy&) = default;
};

/// A shape, and up to how many tiles it is for. A shape of one tile a block is besides for no more than the GPU can
/// work on at once.
struct run_step {
  run_policy shape{};
  std::int64_t most_tiles = INT64_MAX;

  friend constexpr bool operator==(const run_step&, const run_step&) = default;
};

/// Shapes from few keys to many; the first is taken that the count and the GPU allow. Those for few spread the keys
/// over the multiprocessors, in a tile a block.
struct run_policies {
  static constexpr int most_steps = 8;
  run_step steps[most_steps];  ///< the last one is repeated; one behind a step for many is for GPUs whose shared memory
                               ///< is too small for that

  constexpr run_policies(std::initializer_list<run_step> list) : steps{} {
    const int count = int(list.size());
    for (int i = 0; i < most_steps; ++i) steps[i] = list.begin()[i < count ? i : count - 1];
  }
  constexpr run_policies(run_policy always) : run_policies({run_step{always}}) {}

  /// Steps, without repeated ones.
  constexpr int count() const {
    int found = 1;
    while (found < most_steps && !(steps[found] == steps[found - 1])) ++found;
    return found;
  }
};

// An odd number of words a lane, of the widest that its bytes are a multiple of: lanes that read them at this distance
// from each other meet in no bank. Figures: one H200, toolkit 13.0, CUDA graph, microseconds, 2^26 keys in runs of 1,
// 13, 1000; docs/lab/runs.md.

/// The shapes of the policies below: one tile a block for few, some and more keys, two for many; for words, which are
/// keys and values of up to 4 bytes, for wide ones, and for lengths.
namespace run_shapes {
inline constexpr run_policy few{128, 1, 32, 1}, some{128, 1, 80, 1}, more{256, 2, 92, 1};
inline constexpr run_policy more_wide{288, 2, 120, 1};
inline constexpr run_policy many_words{256, 3, 60, 2, 1 << 16, 70}, many_words_in_60_kib{256, 3, 52};
inline constexpr run_policy many_wide{256, 3, 72}, many_lengths{256, 3, 92};
inline constexpr run_policy many_twice_wide{256, 2, 92, 2, 1 << 16, 96}, many_twice_wide_in_60_kib{192, 3, 72};
}  // namespace run_shapes

/// What has one tile, of any of the smaller shapes, draws none and waits for no mail: 2000 keys in runs of 10 2.3 us
/// (CUB 3.9), 4000 2.9, in several tiles 3.6 (3.7); their lengths 1.7 (3.0), and 2.2 and 3.3 (3.6).
/// 623,487 keys of 4 bytes in runs of 2 to 1000 5.1 us, with up to four blocks a multiprocessor 6.3 (CUB 6.4); their
/// lengths 4.6 (6.1; 5.9).
/// Keys and values of up to 4 bytes: 282, 142, 133. With the last shape, where shared memory is less: 281, 147, 140.
inline constexpr run_policies reduce_by_key_policy{{run_shapes::few, 1},      {run_shapes::some, 1},
                                                   {run_shapes::more, 1},     {run_shapes::few},
                                                   {run_shapes::some},        {run_shapes::more},
                                                   {run_shapes::many_words},  {run_shapes::many_words_in_60_kib}};
/// One of them of up to 8; the keys: 419, 213, 197. 2^20 in runs of 1000 6.8 us, as if there were many 8.2 (CUB 8.6).
inline constexpr run_policies wide_reduce_by_key_policy{{run_shapes::few, 1},    {run_shapes::some, 1},
                                                        {run_shapes::more, 1},   {run_shapes::few},
                                                        {run_shapes::some},      {run_shapes::more},
                                                        {run_shapes::more_wide}, {run_shapes::many_wide}};
/// Both; 2^25 keys, in runs of 2 to 1000 on average: 153, with the last shape 161, with {256, 3, 72}, of which 60 KiB
/// hold half the threads, 221 (CUB 352).
inline constexpr run_policies twice_wide_reduce_by_key_policy{{run_shapes::few, 1},  {run_shapes::some, 1},
                                                              {run_shapes::more, 1}, {run_shapes::few},
                                                              {run_shapes::some},    {run_shapes::more},
                                                              {run_shapes::many_twice_wide},
                                                              {run_shapes::many_twice_wide_in_60_kib}};
/// Wider ones, whose mailboxes would take much memory.
inline constexpr run_policies widest_reduce_by_key_policy{run_shapes::many_wide};
/// Keys alone, of up to 4 bytes; before copies began with whole lines: 233, 89, 81.
inline constexpr run_policies run_length_policy{{run_shapes::few, 1},  {run_shapes::some, 1},
                                                {run_shapes::more, 1}, {run_shapes::few},
                                                {run_shapes::some},    {run_shapes::more},
                                                {run_shapes::many_lengths}};
/// Wider ones; 2^20 in runs of 1000 6.1 us, as if there were many 6.9 (CUB 7.4), in one run 6.2 (9.1; 7.4).
inline constexpr run_policies wide_run_length_policy{
    {run_shapes::few, 1}, {run_shapes::some, 1}, {run_shapes::more, 1},   {run_shapes::few},
    {run_shapes::some},   {run_shapes::more},    {run_shapes::more_wide}, {run_shapes::many_lengths}};

}  // namespace gpuprim
