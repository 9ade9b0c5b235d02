// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim {

/// The shape of a histogram kernel, whose blocks have a multiprocessor each.
struct histogram_policy {
  int block_size;
  int loads_per_thread;        ///< wide loads that a thread has in flight
  int most_copies = 32;        ///< of the bins in shared memory: with one for each lane, no two lanes meet in a bank
  int copies_bytes = 130 << 10;  ///< of shared memory, up to which there are copies: loads on their way need the rest
  int shared_bytes = 1 << 20;  ///< most shared memory, if a block has so much
  int most_passes = 9;         ///< over the samples, each for a part of the bins; for more, shared memory is a cache of counters
  int most_turns = 1 << 30;    ///< between which a block adds its counters to the result, or fewer if they could overflow
};

/// For samples of so many bytes.
constexpr histogram_policy find_histogram_policy(int sample_bytes) {
  return sample_bytes == 1 ? histogram_policy{1024, 4} : histogram_policy{1024, 8};
}

}  // namespace gpuprim
