// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim {

/// The shape of a histogram kernel, whose blocks have a multiprocessor each. Figures: one H200, toolkit 13.0,
/// microseconds of 2^28 floats in a CUDA graph; docs/lab/histogram.md has the rest.
struct histogram_policy {
  int block_size;
  int loads_per_thread;  ///< wide loads that a thread has in flight
  /// Copies of the bins in shared memory: with one for each lane, no two lanes meet in a bank. Bytes need them, of
  /// which there are many (2^30 bytes: 466 with one copy, 323 with 16, 240 with 32); floats do not care.
  int most_copies = 32;
  int copies_bytes = 130 << 10;  ///< of shared memory, up to which there are copies
  int shared_bytes = 1 << 20;    ///< most shared memory, if a block has so much
  /// Passes over the samples, each for the part of the bins that fits shared memory; for more it is a cache of
  /// counters. 65,536 bins in two passes 506, with a cache 2357; but all samples in one bin 489 and 293, and 680 with
  /// CUB, so that three are the most. Between levels a cache is slower still: 16,384 bins in two passes 965, with a
  /// cache 4330.
  int most_passes = 3, most_passes_of_levels = 9;
  int most_turns = 1 << 30;  ///< between which a block adds its counters to the result, or fewer if they could overflow
  /// Bins from which on, and samples for each up to which, samples are counted in global memory, with a cache: 32,768
  /// bins, 2^17 samples 7.9 us instead of 19; 2^20 18.7 and 18.4. 8192 bins, 2^17 8.1 and 6.3. Between levels, where
  /// more than one pass would bring them near, up to so many samples a bin.
  int least_sparse_bins = 16384, sparse_samples = 20, sparse_samples_of_levels = 10;
  /// Bins that a warp sets to zero meanwhile; more are set to zero before. 2^16 bytes in 297,732 bins 4.3 us, by a
  /// warp 30 (CUB 3.8).
  int most_cleared_meanwhile = 8192;
  /// Bins up to which the warp that sets them to zero counts too. On an H100, 4096 bins, 2^17 floats 3.3 us instead of
  /// 4.0, 2^20 4.4 instead of 5.0; 256 bins, 2^22 6.2 instead of 6.5.
  int most_cleared_soon = 1024;
  /// Rounds of loads up to which, beyond that, it does nothing else: what it leaves to others is as much then.
  int most_rounds_without_it = 4;
  /// Threads of a block that count at least, and blocks up to which there are no more of them than that takes: 2^15
  /// bytes in 256 bins 2.8 us instead of 3.1, 2^19 floats 3.2 instead of 3.6, 2^17 2.7 as well.
  int least_threads = 128, few_blocks = 32;
  /// Samples for each thread of a block that takes all: on an H100, 2^12 pixels 3.5 us with one block and 3.15 with
  /// more, but 2^12 floats 1.9 and 2.2.
  int most_samples_of_one = 8;
  /// Samples up to which each is counted in global memory by a thread of its own, without a cache: 71,470 bins, 10,000
  /// samples 2.8 us instead of 4.7 (CUB 57); but skewed ones, 70,000 9.0 instead of 7.6, 350,000 39 instead of 11.
  /// Between levels, up to so many a bin too, from so many bins on: 4000 bins, 10,000 samples 3.9 us instead of 7.2
  /// (23), 9394 bins, 1 sample 3.1 instead of 11.8 (7.4), 10,000 4.2 instead of 16.6 (31), 100,000 8.1 instead of 16.9,
  /// 30,000 bins, 300,000 14.4 instead of 44 (50); but 2000 bins, 30,000 5.1 and 4.9. All in one bin is no slower.
  int few_samples = 1 << 15, few_samples_of_levels = 1 << 19, few_samples_a_bin = 16, least_bins_of_few = 4096;
  int few_block_size = 128;  ///< threads of their blocks
};

/// Samples of several bytes in even bins. With 4 loads 0.1 % slower in one run; in another, in which memory was slower,
/// the lead over CUB was 1 % less.
inline constexpr histogram_policy default_histogram_policy{1024, 8};

/// Samples of a byte, of which 2^30 take 240.4 with 8 loads and 237.9 with 4, and bins between levels, whose search
/// needs registers.
inline constexpr histogram_policy dense_histogram_policy{1024, 4};

}  // namespace gpuprim
