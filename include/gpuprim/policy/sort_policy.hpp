// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_1_0 {

/// A launch shape of a radix sort.
struct sort_policy {
  int block_size = 0;                 ///< 0: there is no such shape
  int blocks_per_multiprocessor = 1;  ///< that registers must leave room for
  int lane_bytes = 0;                 ///< of keys, or of values if they have more, that a thread takes of a tile
  int digit_bits = 8;                 ///< by which a pass sorts; at most one digit for each thread

  friend constexpr bool operator==(const sort_policy&, const sort_policy&) = default;
};

/// The shapes of a radix sort. With `few` and `some` the keys lie in the shared memory of one cluster, of at most
/// `cluster_blocks` blocks, while they are sorted. With `many` each pass over memory sorts them by one digit, and
/// `counts` counts the digits before. A launch of a pass takes at most `part_bytes` of keys: what its tiles tell each
/// other takes memory.
struct sort_policies {
  sort_policy few{}, some{}, many{}, counts{};
  int cluster_blocks = 1;
  long long part_bytes = 0;

  friend constexpr bool operator==(const sort_policies&, const sort_policies&) = default;
};

// All members are named: nvcc with clang behind it makes zeros of what stands between others and is left out.
inline constexpr sort_policies tuned_sort_policies{
    .few = {.block_size = 512, .blocks_per_multiprocessor = 1, .lane_bytes = 16, .digit_bits = 8},
    .some = {.block_size = 512, .blocks_per_multiprocessor = 1, .lane_bytes = 64, .digit_bits = 8},
    .many = {.block_size = 512, .blocks_per_multiprocessor = 2, .lane_bytes = 64, .digit_bits = 8},
    .counts = {.block_size = 512, .blocks_per_multiprocessor = 4, .lane_bytes = 32, .digit_bits = 8},
    .cluster_blocks = 16,
    .part_bytes = 256LL << 20,
};

}  // namespace gpuprim
