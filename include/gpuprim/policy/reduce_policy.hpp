// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

namespace gpuprim {

/// The shape of a reduce kernel: threads in a block, and wide loads that a thread has in flight.
struct reduce_policy {
  int block_size;
  int loads_per_thread;

  friend constexpr bool operator==(const reduce_policy&, const reduce_policy&) = default;
};

/// Most blocks that a reduce launches; it bounds the workspace.
inline constexpr int max_reduce_blocks = 2048;

// The shapes by size of the input. Which one runs is chosen at run time between kernels that are all compiled for every
// architecture, so that a launch can never disagree with the code that the driver picked. Figures: one H200, toolkit
// 13.0, sum of float in a CUDA graph over rotating slices, microseconds by bytes of input, CUB 3.0 of the same run in
// brackets; docs/tuning/reduce.md has the whole sweep.

/// Up to 16 KiB one small block, quick to start, and from 128 KiB to 1 MiB many of them: 2^14 1.01 (1.28), 2^17 1.99
/// (2.61), 2^18 1.99 (2.64), 2^19 2.02 (2.79), 2^20 2.13 (3.12); {512, 8} takes 1.09, 2.10, 2.14, 2.18, 2.21.
inline constexpr reduce_policy small_reduce_policy{256, 4};

/// From 16 to 64 KiB one block that reads all of it at once, and from 1 to 8 MiB many: 2^15 1.16 (2.58), 2^16 1.31
/// (2.59), 2^21 2.30 (3.47), 2^22 2.74 (3.94), 2^23 3.91 (4.99); {256, 4} takes 1.94, 1.97, 2.34, 3.12, 4.86.
inline constexpr reduce_policy medium_reduce_policy{512, 8};

/// Beyond, large blocks that begin and end together: 2^24 5.83 (7.29), 2^25 9.71 (11.23), 2^26 17.11 (17.99), 2^28 61.7
/// (62.7), 2^30 238.1 (238.3); {512, 8} takes 5.87, 9.87, 17.19, 61.8, 238.0.
inline constexpr reduce_policy large_reduce_policy{1024, 4};

/// The shape for an input of this many bytes.
constexpr reduce_policy find_reduce_policy(long long input_bytes) {
  constexpr long long KiB = 1024, MiB = 1024 * KiB;
  if (input_bytes <= 16 * KiB) return small_reduce_policy;
  if (input_bytes <= 64 * KiB) return medium_reduce_policy;
  if (input_bytes <= MiB) return small_reduce_policy;
  if (input_bytes <= 8 * MiB) return medium_reduce_policy;
  return large_reduce_policy;
}

}  // namespace gpuprim
