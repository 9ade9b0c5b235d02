// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim {

/// The shape of a histogram kernel, whose blocks have a multiprocessor each. Figures: one H200, toolkit 13.0,
/// microseconds of 2^28 floats in a CUDA graph; docs/tuning/histogram.md has the rest.
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
};

/// Samples of several bytes in even bins. With 4 loads 0.1 % slower in one run; in another, in which memory was slower,
/// the lead over CUB was 1 % less.
inline constexpr histogram_policy default_histogram_policy{1024, 8};

/// Samples of a byte, of which 2^30 take 240.4 with 8 loads and 237.9 with 4, and bins between levels, whose search
/// needs registers.
inline constexpr histogram_policy dense_histogram_policy{1024, 4};

}  // namespace gpuprim
