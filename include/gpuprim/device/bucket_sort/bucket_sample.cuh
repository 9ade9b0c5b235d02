// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/bucket_sort/bucket_map.cuh>
#include <gpuprim/device/common/word_range.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// How many buckets there are for keys that are spread evenly, and for others.
struct bucket_numbers {
  int even, uneven;
};

/// What a block keeps to look at a sample of the keys.
struct bucket_sample {
  static constexpr int of_thread = 8;
  unsigned of_part[bucket_parts];  ///< keys of the sample
  bucket_part parts[bucket_parts];
  int crowded;  ///< a part with almost all of them, if there is one
};

/// Finds buckets for keys of which it looks at some, which are the same in every block. Where almost all keys of the
/// sample lie in one part of their range, the buckets are made for that part; those at its ends have the others too.
/// The parts of buckets that are not even lie in shared memory behind the next barrier of the block.
template <int BlockSize, class Digits, class Keys>
__device__ __forceinline__ bucket_map<Digits> find_buckets(bucket_sample& shared, const Digits& digits,
                                                           const Keys& keys, std::int64_t n,
                                                           const bucket_numbers& numbers) {
  using word = typename Digits::word;
  using distance_type = typename bucket_map<Digits>::distance_type;
  constexpr int of_thread = bucket_sample::of_thread, seen = of_thread * BlockSize, most_turns = 4;
  constexpr int together = 32 / int(sizeof(word)), groups = seen / together;  // a sector of memory has a group
  static_assert(BlockSize >= bucket_parts);
  const this_block block;
  const int rank = int(block.thread_rank());
  word own[of_thread];
#pragma unroll
  for (int i = 0; i < of_thread; ++i) {
    const int number = i * BlockSize + rank;
    const std::int64_t at = n * (number / together) / groups + number % together;
    own[i] = digits.order(digits.store(keys[at < n ? at : n - 1]));
  }
  distance_type distance{};
  unsigned of_part = 0;
  const auto part_of = [&](word w) { return distance(w) >> (32 - bucket_part_bits); };
  for (int turn = 0;; ++turn) {
    word_range<word> range;
#pragma unroll
    for (int i = 0; i < of_thread; ++i) {
      const bool is_used = turn == 0 || (own[i] >= distance.low && own[i] <= distance.high &&
                                         int(part_of(own[i])) == shared.crowded);
      if (is_used) range = join_ranges{}(range, {own[i], own[i]});
    }
    range = gpuprim::block_all_reduce<BlockSize>(block, range, join_ranges{});
    distance = distance_type::around(range.low, range.high);
    if (rank < bucket_parts) shared.of_part[rank] = 0;
    if (rank == 0) shared.crowded = -1;
    block.sync();
#pragma unroll
    for (int i = 0; i < of_thread; ++i) atomicAdd(&shared.of_part[part_of(own[i])], 1u);
    block.sync();
    if (rank < bucket_parts) of_part = shared.of_part[rank];
    if (turn == most_turns || range.low == range.high) break;
    if (of_part > seen / 16 * 15) shared.crowded = rank;
    block.sync();
    if (0 > shared.crowded) break;
  }
  // A part has more than its share if it has more than a sample of evenly spread keys would show in any.
  const unsigned longest = distance(distance.high), used = (longest >> (32 - bucket_part_bits)) + 1;
  if (!block.any(8 * used * of_part > 11 * seen)) {
    const std::uint64_t scale = (std::uint64_t(unsigned(numbers.even)) << 32) / (std::uint64_t{longest} + 1);
    return {distance, longest == 0 ? 1 : unsigned(scale), numbers.even};
  }
  // The least share of buckets is that of so many keys of the sample, which may have missed some.
  constexpr unsigned least_share = 8;
  const unsigned share = unsigned(rank) < used ? of_part + least_share : 0;
  unsigned all;
  const unsigned before = gpuprim::block_exclusive_scan<BlockSize>(block, share, plus<unsigned>{}, total_to{all});
  const auto begin = [&](unsigned shares) { return (std::uint64_t(unsigned(numbers.uneven)) << 16) * shares / all; };
  if (rank < bucket_parts) {
    const std::uint64_t first = begin(before);
    shared.parts[rank] = {std::uint32_t(first), std::uint32_t(begin(before + share) - first)};
  }
  return {distance, 0, numbers.uneven};
}

}  // namespace gpuprim::detail
