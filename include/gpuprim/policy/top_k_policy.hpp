// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gpuprim::inline v0_2_0 {

/// The launch shape of a top-k, and what it does with so many keys.
struct top_k_policy {
  int block_size = 0;                 ///< a multiple of 32
  int blocks_per_multiprocessor = 0;  ///< that registers must leave room for
  int loads = 0;                      ///< of 16 bytes that a thread has in flight
  int sample_items = 0;               ///< of the sample, for each thread of one block
  int alone_items = 0;                ///< of a thread, at most 32 of 4 bytes, up to which one block ends all by itself
  int prefetched_bytes = 0;           ///< of the input, that a block asks for while the sample is evaluated
  long long most_uncounted = 0;       ///< results up to which no block counts those of its part first
  long long least_sampled = 0;        ///< keys from which on the input is sampled
  long long most_candidates = 0;      ///< of one sampled input
  int cluster_blocks = 0;             ///< that work on a row together, at most; 0 for no clusters
  int cluster_block_size = 0;         ///< a multiple of 32
  int cluster_blocks_per_multiprocessor = 0;  ///< that registers must leave room for
  int cluster_loads = 0;          ///< of 16 bytes that are held for a thread: fewer than 4, or a multiple of 4
  int cluster_rounds = 0;         ///< times what a cluster holds, up to which it works on a row; half for a large k
  long long least_clustered = 0;  ///< keys of a row from which on it has a cluster

  friend constexpr bool operator==(const top_k_policy&, const top_k_policy&) = default;
};

// A larger sample leaves fewer candidates, but every block reads and evaluates it.
inline constexpr top_k_policy tuned_top_k_policy{
    .block_size = 1024,
    .blocks_per_multiprocessor = 1,
    .loads = 4,
    .sample_items = 4,
    .alone_items = 16,
    .prefetched_bytes = 1 << 17,
    .most_uncounted = 1LL << 18,
    .least_sampled = 1LL << 13,
    .most_candidates = 1LL << 40,
    .cluster_blocks = 16,
    .cluster_block_size = 1024,
    .cluster_blocks_per_multiprocessor = 1,
    .cluster_loads = 8,
    .cluster_rounds = 2,
    .least_clustered = (1LL << 14) + 1,
};

/// Of rows: several blocks of a multiprocessor work on as many of them, so that some read while others do not.
inline constexpr top_k_policy tuned_row_top_k_policy{
    .block_size = 256,
    .blocks_per_multiprocessor = 4,
    .loads = 4,
    .sample_items = 8,
    .alone_items = 16,
    .prefetched_bytes = 1 << 16,
    .most_uncounted = 1LL << 18,
    .least_sampled = 1LL << 13,
    .most_candidates = 1LL << 17,
    .cluster_blocks = 16,
    .cluster_block_size = 1024,
    .cluster_blocks_per_multiprocessor = 1,
    .cluster_loads = 8,
    .cluster_rounds = 2,
    .least_clustered = 1LL << 13,
};

}  // namespace gpuprim
