// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

namespace gpuprim {

/// The shape of a reduce kernel: threads in a block, wide loads that a thread has in flight, and blocks that may share a
/// multiprocessor, those of a next kernel that starts early included (0: as many as fit).
struct reduce_policy {
  int block_size;
  int loads_per_thread;
  int blocks_per_multiprocessor = 0;

  friend constexpr bool operator==(const reduce_policy&, const reduce_policy&) = default;
};

/// Most blocks that a reduce launches; it bounds the workspace.
inline constexpr int max_reduce_blocks = 2048;

// The shapes by size of the input. Which one runs is chosen at run time between kernels that are all compiled for every
// architecture, so that a launch can never disagree with the code that the driver picked. Figures: one H200, toolkit
// 13.0, one sweep of sums of float in a CUDA graph over rotating slices, microseconds by bytes of input, CUB 3.0 of the
// same run in brackets; docs/tuning/reduce.md has the whole sweep.

/// Up to 16 KiB one small block, quick to start, and from 64 KiB to 1 MiB many of them: 2^14 1.01 (1.26), 2^17 1.91
/// (2.49), 2^18 1.93 (2.59), 2^19 2.02 (2.72), 2^20 2.16 (3.05); {512, 8} takes 1.07, 2.02, 2.06, 2.10, 2.15.
inline constexpr reduce_policy small_reduce_policy{256, 4, 1};

/// From 16 to 64 KiB one block that reads all of it at once, and from 1 MiB to 1 GiB many: 2^15 1.15 (2.42), 2^16 1.32
/// (2.43), 2^22 2.74 (3.90), 2^24 5.75 (7.28), 2^26 16.8 (18.0), 2^28 61.7 (62.7); {1024, 4} takes 1.25, 1.45, 2.87,
/// 5.77, 16.9, 61.4.
inline constexpr reduce_policy medium_reduce_policy{512, 8, 1};

/// From 1 GiB on more bytes in flight: 2^30 237.1 (238.2), 2^31 470.7 (472.2), 2^32 939.1 (941.7); {512, 8} takes 237.7,
/// 473.0, 943.3.
inline constexpr reduce_policy large_reduce_policy{1024, 8, 1};

/// The shape for an input of this many bytes.
constexpr reduce_policy find_reduce_policy(long long input_bytes) {
  constexpr long long KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
  if (input_bytes <= 16 * KiB) return small_reduce_policy;
  if (input_bytes <= 64 * KiB) return medium_reduce_policy;
  if (input_bytes <= MiB) return small_reduce_policy;
  if (input_bytes < GiB) return medium_reduce_policy;
  return large_reduce_policy;
}

}  // namespace gpuprim
