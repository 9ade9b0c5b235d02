// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/bucket_sort/bucket_map.cuh>
#include <gpuprim/device/common/word_distance.cuh>
#include <gpuprim/warp/warp_scan.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// How many buckets there are for keys that are spread evenly, and for others, and whether the sample is a large one.
struct bucket_numbers {
  int even, uneven;
  bool has_large_sample;
};

/// What a block keeps to look at a sample of the keys.
struct bucket_sample {
  static constexpr int of_thread = 8;
  unsigned of_part[bucket_parts];  ///< keys of the sample
  bucket_part parts[all_bucket_parts];
  int crowded;  ///< a part with almost all of them, if there is one
  // Parts that are split: how many there are, which a part is, its keys of the sample, where its shares begin, and how
  // many it has.
  int splits, split_of[bucket_parts];
  unsigned of_split[most_splits][bucket_parts], begins[most_splits], shares[most_splits];
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
  constexpr int of_thread = bucket_sample::of_thread, first_seen = of_thread * BlockSize, most_turns = 4;
  constexpr int together = 32 / int(sizeof(word)), groups = first_seen / together;  // a sector of memory has a group
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
  // A block can sort so many keys that lie in no other part.
  constexpr std::int64_t few_keys = 4096, least_outside = 8;
  constexpr unsigned most_outside_ever = first_seen / 16;  // one part alone may have the others
  const std::int64_t of_few = first_seen * few_keys / n;
  const auto most_outside = of_few < least_outside       ? unsigned(least_outside)
                            : of_few < most_outside_ever ? unsigned(of_few)
                                                         : most_outside_ever;
  distance_type distance{};
  unsigned of_part = 0;
  const auto part_of = [&](word w) { return distance(w) >> (32 - bucket_part_bits); };
  for (int turn = 0;; ++turn) {
    word_range<word> range;
#pragma unroll
    for (int i = 0; i < of_thread; ++i) {
      const bool is_used =
          turn == 0 || (own[i] >= distance.low && own[i] <= distance.high && int(part_of(own[i])) == shared.crowded);
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
    if (of_part > first_seen - most_outside) shared.crowded = rank;
    block.sync();
    if (0 > shared.crowded) break;
  }
  // A large sample has as many other keys, so that few parts differ by chance.
  const bool has_large_sample = numbers.has_large_sample;
  if (has_large_sample) {
    block.sync();
#pragma unroll
    for (int i = 0; i < of_thread; ++i) {
      const int number = i * BlockSize + rank;
      const std::int64_t at = n * (number / together) / groups + n / (2 * groups) + number % together;
      atomicAdd(&shared.of_part[part_of(digits.order(digits.store(keys[at < n ? at : n - 1])))], 1u);
    }
    block.sync();
    if (rank < bucket_parts) of_part = shared.of_part[rank];
  }
  const unsigned seen = has_large_sample ? 2 * first_seen : first_seen;
  // Keys are not even if a part has more than its share, or four neighbours together: more than a sample of evenly
  // spread keys would show in any.
  const unsigned longest = distance(distance.high), used = (longest >> (32 - bucket_part_bits)) + 1;
  unsigned of_four = 0;
  if (rank < bucket_parts / 4) {
#pragma unroll
    for (int i = 0; i < 4; ++i) of_four += shared.of_part[4 * rank + i];
  }
  if (!block.any(10 * used * of_part > (has_large_sample ? 15 : 17) * seen || 20 * used * of_four > 4 * 25 * seen)) {
    const std::uint64_t scale = (std::uint64_t(unsigned(numbers.even)) << 32) / (std::uint64_t{longest} + 1);
    return {distance, longest == 0 ? 1 : unsigned(scale), numbers.even, false};
  }
  const bool is_split = of_part > seen / (most_splits + 1);
  if (rank == 0) shared.splits = 0;
  for (int i = rank; i < most_splits * bucket_parts; i += BlockSize) {
    shared.of_split[i / bucket_parts][i % bucket_parts] = 0;
  }
  block.sync();
  int split = -1;
  if (is_split) split = atomicAdd(&shared.splits, 1);
  if (rank < bucket_parts) shared.split_of[rank] = split;
  block.sync();
#pragma unroll
  for (int i = 0; i < of_thread; ++i) {
    const unsigned at = distance(own[i]);
    const int of_own = shared.split_of[at >> (32 - bucket_part_bits)];
    if (of_own >= 0) atomicAdd(&shared.of_split[of_own][(at << bucket_part_bits) >> (32 - bucket_part_bits)], 1u);
  }
  // The least share of buckets is that of so many keys of the sample, which may have missed some.
  constexpr unsigned least_share = 8, least_of_split = 2;
  unsigned share = unsigned(rank) < used ? of_part + least_share : 0;
  if (is_split) share = of_part + least_of_split * bucket_parts;
  unsigned all;
  const unsigned before = gpuprim::block_exclusive_scan<BlockSize>(block, share, plus<unsigned>{}, total_to{all});
  const auto buckets_of = [&](unsigned begin, unsigned end) {
    const unsigned number = unsigned(numbers.uneven), first = number * begin / all, next = number * end / all;
    return bucket_part::of(first < number ? first : number - 1, next - first);
  };
  if (is_split) {
    shared.begins[split] = before;
    shared.shares[split] = share;
  }
  if (rank < bucket_parts) {
    const auto split_part = bucket_part::of(unsigned(split), bucket_part::is_split);
    shared.parts[rank] = is_split ? split_part : buckets_of(before, before + share);
  }
  block.sync();
  const warp_tile<warp_size> warp;
  const int splits = shared.splits, lane = int(warp.thread_rank());
  static_assert(BlockSize / warp_size >= most_splits);
  if (const int own_split = rank / warp_size; own_split < splits) {
    constexpr int of_lane = bucket_parts / warp_size;
    unsigned shares[of_lane], of_lane_shares = 0;
#pragma unroll
    for (int i = 0; i < of_lane; ++i) {
      shares[i] = shared.of_split[own_split][lane * of_lane + i] + least_of_split;
      of_lane_shares += shares[i];
    }
    // A large sample counts for the shares of the part alone, so that these are more.
    unsigned all_shares;
    unsigned at = gpuprim::warp_exclusive_scan(warp, of_lane_shares, plus<unsigned>{}, total_to{all_shares});
    const auto share_at = [&](unsigned x) {
      return shared.begins[own_split] + x * shared.shares[own_split] / all_shares;
    };
#pragma unroll
    for (int i = 0; i < of_lane; ++i) {
      shared.parts[(own_split + 1) * bucket_parts + lane * of_lane + i] =
          buckets_of(share_at(at), share_at(at + shares[i]));
      at += shares[i];
    }
  }
  return {distance, 0, numbers.uneven, false};
}

}  // namespace gpuprim::detail
