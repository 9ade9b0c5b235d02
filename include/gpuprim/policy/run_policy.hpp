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

/// A shape, and up to how many keys it is for.
struct run_step {
  run_policy shape{};
  std::int64_t most = INT64_MAX;

  friend constexpr bool operator==(const run_step&, const run_step&) = default;
};

/// Shapes from few keys to many; the first is taken that the count and the GPU's shared memory allow. Those for few
/// spread the keys over the multiprocessors, in a tile a block.
struct run_policies {
  static constexpr int most_steps = 5;
  run_step steps[most_steps];  ///< the last one is repeated; one behind a step for any count is for GPUs whose shared
                               ///< memory is too small for that

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
// 13, 1000; docs/tuning/runs.md.

/// The shapes of the policies below: one tile a block for few, some and more keys, two for many; for words, which are
/// keys and values of up to 4 bytes, for wide ones, and for lengths.
namespace run_shapes {
inline constexpr run_policy few{128, 8, 16, 1}, some{128, 8, 80, 1};
inline constexpr run_policy more_words{256, 4, 88, 1}, more_wide{288, 3, 120, 1};
inline constexpr run_policy many_words{256, 3, 60, 2, 1 << 16, 70}, many_wide{256, 3, 72}, many_lengths{256, 3, 92};
inline constexpr run_policy many_words_in_60_kib{256, 3, 52};
}  // namespace run_shapes

/// Keys and values of up to 4 bytes: 282, 142, 133. With the last shape, where shared memory is less: 281, 147, 140.
inline constexpr run_policies reduce_by_key_policy{{run_shapes::few, 1 << 16},
                                                   {run_shapes::some, 1 << 19},
                                                   {run_shapes::more_words, 1 << 20},
                                                   {run_shapes::many_words},
                                                   {run_shapes::many_words_in_60_kib}};
/// One of them of up to 8; the keys, before copies began with whole lines: 465, 233, 212.
inline constexpr run_policies wide_reduce_by_key_policy{{run_shapes::few, 1 << 15},
                                                        {run_shapes::some, 1 << 18},
                                                        {run_shapes::more_wide, 1 << 20},
                                                        {run_shapes::many_wide}};
/// Both.
inline constexpr run_policies twice_wide_reduce_by_key_policy{
    {run_shapes::few, 1 << 15}, {run_shapes::some, 1 << 18}, {run_shapes::many_wide}};
/// Wider ones, whose mailboxes would take much memory.
inline constexpr run_policies widest_reduce_by_key_policy{run_shapes::many_wide};
/// Keys alone, of up to 4 bytes; before copies began with whole lines: 233, 89, 81. Limits are those of a tile for each
/// of 132 multiprocessors: 741,455 keys in runs of 30 4.6 us, with 736 threads of 11 6.5 (CUB 6.0).
inline constexpr run_policies run_length_policy{{run_shapes::few, 3 << 14},
                                                {run_shapes::some, 330 << 10},
                                                {run_shapes::more_words, 726 << 10},
                                                {run_shapes::many_lengths}};
/// Wider ones: 741,455 keys of 8 bytes in runs of 30 5.7 us, with 736 threads of 5 12.1 (CUB 6.4).
inline constexpr run_policies wide_run_length_policy{{run_shapes::few, 3 << 13},
                                                     {run_shapes::some, 165 << 10},
                                                     {run_shapes::more_words, 363 << 10},
                                                     {run_shapes::many_lengths}};

}  // namespace gpuprim
