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

/// The shape for almost every size: 128 bytes a thread in flight, blocks small enough to spread a little input widely.
/// Measured, H200, toolkit 13.0, sum of float, against {256, 2}: 2^13 elements 1.49 us for 2.43 us, 2^24 18.05 us for
/// 18.39 us, 2^30 919 us for 935 us.
inline constexpr reduce_policy default_reduce_policy{256, 8};

/// The shape for what one block of 1024 threads reads at once, which spares the meeting of several blocks.
/// Measured as above, against {256, 8}: 2^14 elements 1.81 us for 2.56 us, 2^15 2.16 us for 2.57 us.
inline constexpr reduce_policy one_block_reduce_policy{1024, 8};

/// True if an input of this size is read by one large block. It is a run-time choice between two kernels that are both
/// compiled for every architecture, so a launch can never disagree with the code that the driver picked.
constexpr bool reduce_takes_one_block(long long input_bytes) {
  return input_bytes > 256 * 8 * 16 && input_bytes <= 1024 * 8 * 16;
}

}  // namespace gpuprim
