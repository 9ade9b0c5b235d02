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
// 13.0, sum of float in a CUDA graph over rotating slices, microseconds, CUB 3.0 in the same run in brackets.

/// Up to 8 KiB a block that is quick to start, and up to 1 MiB many of them: 2^10 elements 0.94 (1.55), 2^16 2.01 (2.44),
/// 2^17 2.24 (2.81), 2^18 2.32 (2.87); {256, 8} takes 1.95, 2.28, 2.41, 2.56.
inline constexpr reduce_policy small_reduce_policy{128, 4};
inline constexpr long long tiny_reduce_bytes = 8 << 10;
inline constexpr long long small_reduce_bytes = 1 << 20;

/// In between, up to 128 KiB, one block reads all at once and no blocks have to meet: 2^13 1.12 (2.36), 2^15 1.64 (2.42);
/// {1024, 8} takes 1.21 and 1.73.
inline constexpr reduce_policy one_block_reduce_policy{512, 16};
inline constexpr long long one_block_reduce_bytes = 512 * 16 * 16;

/// Up to 512 MiB large blocks with few loads, which begin and end quickly: 2^21 3.91 (4.75), 2^22 6.09 (7.06), 2^23 9.91
/// (10.98), 2^24 17.38 (17.83), 2^26 61.77 (62.58); {512, 16} takes 3.87, 6.65, 10.11, 17.57, 62.03.
inline constexpr reduce_policy medium_reduce_policy{1024, 2};
inline constexpr long long medium_reduce_bytes = 512 << 20;

/// Beyond, the most bytes in flight: 2^30 919.8 (922.0); {1024, 2} takes 932.5.
inline constexpr reduce_policy large_reduce_policy = one_block_reduce_policy;

/// The shape for an input of this many bytes.
constexpr reduce_policy find_reduce_policy(long long input_bytes) {
  if (input_bytes <= tiny_reduce_bytes) return small_reduce_policy;
  if (input_bytes <= one_block_reduce_bytes) return one_block_reduce_policy;
  if (input_bytes <= small_reduce_bytes) return small_reduce_policy;
  if (input_bytes <= medium_reduce_bytes) return medium_reduce_policy;
  return large_reduce_policy;
}

}  // namespace gpuprim
