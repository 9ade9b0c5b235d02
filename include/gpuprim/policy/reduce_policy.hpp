// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

namespace gpuprim {

/// The shape of a reduce kernel: threads in a block, wide loads that a thread has in flight, and blocks that may share
/// a multiprocessor, those of a next kernel that starts early included (0: as many as fit).
struct reduce_policy {
  int block_size;
  int loads_per_thread;
  int blocks_per_multiprocessor = 0;

  friend constexpr bool operator==(const reduce_policy&, const reduce_policy&) = default;
};

// The shapes by size of the input. Which one runs is chosen at run time between kernels that are all compiled for every
// architecture, so that a launch can never disagree with the code that the driver picked. A block shares its
// multiprocessor with no other: blocks that start early for the next kernel in a stream would else crowd some
// multiprocessors and leave others empty, and prefetch too early (2^24 bytes: 5.7 us alone, 6.2 us in twos).
//
// Figures: one H200, toolkit 13.0, sums of float in a CUDA graph over rotating slices, microseconds by bytes of input,
// CUB 3.0 of the same run in brackets, where sizes are in MiB CUB 3.6; docs/lab/reduce.md has the sweeps.

/// Up to 16 KiB one small block, quick to start, and from 64 KiB to 2 MiB many of them: 2^14 0.97 (1.24), 2^17 1.51
/// (2.50), 2^18 1.52 (2.52), 2^19 1.65 (2.94), 2^20 1.80 (2.99). 1.5 MiB 2.05 (3.17; {256, 8} 2.09), in the cache 1.72
/// (2.66; 1.97).
inline constexpr reduce_policy small_reduce_policy{256, 4, 1};

/// From 2 to 13 MiB, for elements as they are: 2^22 2.60 ({512, 8} 2.63), 5 MiB 3.43 (5.54; 3.56), 10 MiB 4.53 (6.90;
/// 4.90), 12 MiB 4.79 (6.14; 5.26), but 7 MiB 3.76 (6.01; 3.64); in the cache 2.36, 2.98 and 3.16, and 2.50 ({512, 8}
/// 2.60, 3.24 and 3.40, and 2.68). A lone call of 2^22 and the wait for it up to 0.2 us less.
inline constexpr reduce_policy middle_reduce_policy{256, 8, 1};

/// Up to how many bytes; elements of one or two bytes that are not added take as long to join as to read: minimum of
/// half, 6 MiB 3.99 with {512, 8} and 4.46 with {256, 8}, 10 MiB 5.49 and 5.89.
inline constexpr long long most_middle_bytes = 13 << 20, most_narrow_middle_bytes = 4 << 20;

/// From 16 to 64 KiB one block that reads all of it at once, and up to 256 MiB many: 2^15 1.10 (2.43), 2^16 1.28
/// (2.43), 2^24 5.58 (7.18), 2^26 16.7 (17.8).
inline constexpr reduce_policy medium_reduce_policy{512, 8, 1};

/// From 256 MiB on as many blocks as fit, which is two with up to 64 registers: 2^28 59.8 (61.5), 2^29 116.6 (118.8),
/// 2^30 230.6 (233.7), 2^32 917.0 (921.8).
inline constexpr reduce_policy large_reduce_policy{512, 8};

/// In place of these two for elements of 8 bytes, as they are: half as many warps have values of two words to join. In
/// place of the medium one for elements of which three loads bring some: three floats 2^15 1.31 ({512, 8} 1.42), 2^21
/// 2.38 (2.48), 2^24 6.02 (6.16).
/// Sums of double: 2^16 1.28 (2.51; {512, 8} 1.34), 2^25 9.47 (10.5; 9.65), 2^26 17.0 (18.5; 16.9), 2^28 61.3 (63.3;
/// 61.4), 2^32 937.0 (944.4; 938.0).
inline constexpr reduce_policy medium_wide_reduce_policy{256, 16, 1}, large_wide_reduce_policy{256, 16};

/// In place of the large one for kernels that have registers for one block only, because they join accumulators of up
/// to 32 bytes or project what they read, and for elements that do not divide 16 bytes: more loads a thread.
/// min_element of 2^30 bytes 232.3, with 8 loads 234.5; three floats 231.2, {1024, 16} 236.2, {768, 16} 233.8.
inline constexpr reduce_policy deep_reduce_policy{512, 16, 1};

/// For elements of 32 bytes and more, whose sums are as long: few loads leave registers, and few warps have little to
/// join. Up to about 100 of them, blocks of 128 threads are faster. Sums on one H200, passes over slices
/// in memory, in brackets CUB 3.6 and the shapes before (to 640 or 768 KiB {128, loads}, then {512, 4} for 32 bytes,
/// {512, 1} for 64, {256, 2} for 128, all with as many blocks as fit): 32 bytes, 512 KiB 2.02 us (3.40; 2.47), 1 MiB
/// 2.25 (3.53; 3.31), 2 MiB 2.70 (3.89; 3.60), 4 MiB 3.19 (4.88; 3.86), 32 MiB 9.95 (18.9; 11.4); 64 bytes, 512 KiB
/// 2.85 (4.71; 4.21), 1 MiB 3.20 (4.95; 3.80), 4 MiB 4.33 (7.50; 4.78), 1 GiB 240.7 (539; 248.2), but 9.5 MiB 6.7
/// (13.4; 6.1); 128 bytes, 512 KiB 3.94 (8.97; 5.30), 1 MiB 4.92 (9.35; 5.62), 1 GiB 308.7 (1069; 308.4). Where the
/// order is kept {512, loads} had spilled: 96 bytes, 1 GiB 278 us instead of 1181.
constexpr reduce_policy find_long_reduce_policy(long long input_bytes, int element_bytes) {
  const int few = element_bytes < 64 ? 4 : element_bytes < 128 ? 2 : 1;
  if (input_bytes <= (element_bytes < 64 ? 7 << 18 : 5 << 18)) return {128, few, 1};
  return {256, element_bytes <= 32 ? 8 : element_bytes < 128 ? 4 : element_bytes < 256 ? 2 : 1, 1};
}

/// The shape for an input of this many bytes, of which the middle one takes up to `most_middle`.
constexpr reduce_policy find_reduce_policy(long long input_bytes, long long most_middle = most_middle_bytes) {
  constexpr long long KiB = 1024, MiB = 1024 * KiB;
  if (input_bytes <= 16 * KiB) return small_reduce_policy;
  if (input_bytes <= 64 * KiB) return medium_reduce_policy;
  if (input_bytes <= 2 * MiB) return small_reduce_policy;
  if (input_bytes <= most_middle) return middle_reduce_policy;
  if (input_bytes < 256 * MiB) return medium_reduce_policy;
  return large_reduce_policy;
}

}  // namespace gpuprim
