// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the launches of a sort by buckets share.
#include <gpuprim/core/config.hpp>
#include <gpuprim/device/common/sort_arrays.cuh>

#include <cuda_runtime.h>

#include <cstdint>

namespace gpuprim::inline v0_1_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Keys that one block ends: those of the buckets from `first` to `last`, which are neighbours.
struct bucket_task {
  std::uint32_t begin, length;
  unsigned first, last;
};

struct bucket_state {
  static constexpr int most_bits = 15, most_pass_bits = 9;
  static constexpr int most_buckets = 1 << most_bits, most_digits = 1 << most_pass_bits;
  static constexpr int most_large = 64;        ///< buckets that no block holds
  static constexpr int least_share_large = 8;  ///< of the keys, which these have at most
  static constexpr std::int64_t zeroed_bytes = 64 + most_buckets * std::int64_t{4};

  // Zero before a sort and after it.
  unsigned* arrived;      ///< blocks that have counted
  std::uint32_t* counts;  ///< of the buckets
  // Anything before and after.
  sort_way* way;
  void* map;
  unsigned* tasks_found;
  unsigned* large_found;
  segment_span* large;
  std::uint32_t* begins;   ///< of the buckets, and the end of the last one
  std::uint32_t* to_lows;  ///< where the next keys of a bucket go in the last pass
  std::uint32_t* to_highs; ///< and where those of neighbouring buckets go in the first of two passes
  std::uint32_t* tiles;    ///< of the last pass, before those that read the buckets of a high digit
  bucket_task* tasks;

  __device__ void choose(sort_way found, unsigned large_buckets) const {
    *way = found;
    *large_found = found == sort_way::by_buckets ? large_buckets : 0;
  }

  static constexpr std::int64_t scratch_bytes(std::int64_t tasks) {
    return 128 + most_large * std::int64_t(sizeof(segment_span)) + tasks * std::int64_t(sizeof(bucket_task)) +
           (2 * most_buckets + 2 * most_digits + 2 * 64) * std::int64_t{4};
  }
  static bucket_state lay_over(void* zeroed, void* scratch) {
    bucket_state all{};
    all.arrived = static_cast<unsigned*>(zeroed);
    all.counts = reinterpret_cast<std::uint32_t*>(static_cast<char*>(zeroed) + 64);
    auto* const memory = static_cast<char*>(scratch);
    all.way = reinterpret_cast<sort_way*>(memory);
    all.tasks_found = reinterpret_cast<unsigned*>(memory + 8);
    all.large_found = all.tasks_found + 1;
    all.map = memory + 64;
    all.large = reinterpret_cast<segment_span*>(memory + 128);
    all.begins = reinterpret_cast<std::uint32_t*>(all.large + most_large);
    all.to_lows = all.begins + most_buckets + 64;
    all.to_highs = all.to_lows + most_buckets;
    all.tiles = all.to_highs + most_digits;
    all.tasks = reinterpret_cast<bucket_task*>(all.tiles + most_digits + 64);
    return all;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
