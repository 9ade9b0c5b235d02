// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// How a histogram is launched. The figures behind each value are in docs/lab/histogram.md, "Figures that stood in the
/// code".
struct histogram_policy {
  /// Threads of a block. A block takes the shared memory of a multiprocessor, so it has all the threads that it can.
  int block_size = 1024;
  /// Wide loads that a thread has in flight: more of them hide more latency and take more registers. Bytes, of which a
  /// load brings many, and bins between levels, whose search takes registers, need fewer.
  int loads_per_thread = 8, loads_per_thread_of_bytes_or_levels = 4;
  /// Threads of the smallest blocks. Fewer threads in more blocks spread a small input, but each block has bins to add.
  int least_threads = 128;
  /// Blocks that a small input is spread over, before blocks take more work and there are more blocks alike.
  int few_blocks = 32;
  /// Samples for each thread of a block up to which one block takes all: it then need not add its bins to those of
  /// other blocks.
  int samples_per_thread_of_one_block = 4;
  /// Bins that one warp sets to zero while the others count. More are set to zero by a launch before.
  int most_bins_cleared_by_warp = 8192;
  /// Passes over the samples, each for the bins that fit shared memory. More bins are counted in global memory, where a
  /// sample costs more. Between levels that takes a search in global memory too, so that more passes pay.
  int most_passes = 3, most_passes_between_levels = 9;
  /// Shared bytes of the bins of a block from which on it matters that each block sets them up and adds them, and
  /// samples for each bin up to which that costs more than to count in global memory.
  int least_bytes_of_many_bins = 64 << 10, few_samples_per_bin = 20;
  /// Samples for each multiprocessor up to which a thread takes one sample in global memory. Beyond that counters of
  /// each block keep the samples of a skewed input from meeting in memory; a search between levels outweighs that.
  int few_samples_per_multiprocessor = 256, few_samples_per_multiprocessor_between_levels = 4096;
};

inline constexpr histogram_policy default_histogram_policy{};

}  // namespace gpuprim
