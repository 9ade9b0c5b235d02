// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the launches of a sort by buckets share.
#include <gpuprim/core/config.hpp>
#include <gpuprim/device/bucket_sort/bucket_map.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>

#include <cuda_runtime.h>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// How the keys are sorted, which the GPU decides: by buckets, or, if too many of these are large, as one segment.
enum class sort_way : unsigned { by_buckets, as_segment };

template <class Digits>
struct bucket_state {
  static constexpr int most_pass_digits = 1024;  ///< by which one pass parts keys
  /// Buckets of so many keys that no block holds.
  static constexpr int most_large(std::int64_t keys) {
    const std::int64_t share = keys >> 18;
    return int(share < 64 ? 64 : share < 1024 ? share : 1024);
  }

  // Zero before a sort and after it.
  unsigned* arrived;      ///< blocks that have counted
  unsigned* outsiders;    ///< whether a block has found words that are not inside
  std::uint32_t* counts;  ///< of the buckets
  // Anything before and after.
  bucket_map<Digits>* map;
  bucket_part* parts;
  sort_way* way;
  unsigned* tasks_found;
  unsigned* large_found;
  segment_span* large;
  std::uint32_t* begins;       ///< of the buckets, and the end of the last one
  std::uint32_t* to_lows;      ///< where the next keys of a bucket go in the last pass
  std::uint32_t* to_highs;     ///< and where those of neighbouring buckets go in the first of two passes
  std::uint32_t* tiles;        ///< of the last pass, before those that read the buckets of a high digit
  std::uint32_t* task_begins;  ///< of neighbouring buckets that one block ends, and the end of the last one

  static constexpr std::int64_t zeroed_bytes(int buckets) { return 64 + buckets * std::int64_t{4}; }
  static constexpr std::int64_t scratch_bytes(int buckets, int large_ones) {
    constexpr std::int64_t constant =
        256 + all_bucket_parts * sizeof(bucket_part) + (2 * most_pass_digits + 3 * 16) * sizeof(std::uint32_t);
    return constant + large_ones * std::int64_t{sizeof(segment_span)} +
           buckets * std::int64_t{3 * sizeof(std::uint32_t)};
  }
  static bucket_state lay_over(void* zeroed, void* scratch, int buckets, int large_ones) {
    bucket_state all{};
    if (!scratch) return all;
    all.arrived = static_cast<unsigned*>(zeroed);
    all.outsiders = all.arrived + 1;
    all.counts = all.arrived + 16;
    auto* const memory = static_cast<char*>(scratch);
    static_assert(sizeof(bucket_map<Digits>) <= 128);
    all.map = reinterpret_cast<bucket_map<Digits>*>(memory);
    all.way = reinterpret_cast<sort_way*>(memory + 128);
    all.tasks_found = reinterpret_cast<unsigned*>(memory + 128) + 1;
    all.large_found = all.tasks_found + 1;
    all.parts = reinterpret_cast<bucket_part*>(memory + 256);
    all.large = reinterpret_cast<segment_span*>(all.parts + all_bucket_parts);
    all.begins = reinterpret_cast<std::uint32_t*>(all.large + large_ones);
    all.task_begins = all.begins + buckets + 16;
    all.to_lows = all.task_begins + buckets + 16;
    all.to_highs = all.to_lows + buckets;
    all.tiles = all.to_highs + most_pass_digits;
    return all;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
