// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/bucket_sort/bucket_map.cuh>
#include <gpuprim/device/bucket_sort/bucket_state.cuh>
#include <gpuprim/ptx/sm_70.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// How a sort by buckets is done: what the host knows of it.
struct bucket_shape {
  int low_bits;                       ///< of a bucket's number, by which the last pass parts keys
  std::uint32_t tile_keys;            ///< of the last pass
  std::uint32_t task_keys;            ///< as many make neighbouring buckets a task of their own
  std::uint32_t most_few, few_words;  ///< a block counts so many keys of so few words
  int most_large;
};

/// Whether a bucket has at most so many words.
template <class Digits>
__device__ __forceinline__ bool has_at_most(const bucket_map<Digits>& map, const bucket_part* parts, unsigned bucket,
                                            unsigned words) {
  using word = typename Digits::word;
  word first = 0;  // of the bucket, or of a later one
  for (int bit = 8 * int(sizeof(word)) - 1; bit >= 0; --bit) {
    const word next = word(first | word(1) << bit);
    if (map(word(next - 1), parts) < bucket) first = next;
  }
  return first > word(~word(0)) - words || map(word(first + words), parts) > bucket;
}

/// Makes all keys one segment, which passes leave where they are. A block calls it.
template <class Digits>
__device__ __forceinline__ void plan_segment(const bucket_state<Digits>& state, std::int64_t n,
                                             const digit_passes& passes) {
  const int rank = int(this_block::thread_rank());
  if (passes.begins && rank < passes.bins) {
    for (int pass = 0; pass < passes.most; ++pass) {
      passes.begins[pass * passes.bins + rank] = rank > 0 ? static_cast<unsigned long long>(n) : 0;
    }
  }
  if (rank > 0) return;
  *state.map = {.distance = {}, .scale = 1, .buckets = 1, .has_outsiders = false};
  *state.outsiders = 0;
  *state.way = sort_way::as_segment;
  *state.tasks_found = 0;
  *state.large_found = 1;
  state.large[0] = {0, n};
}

/// Turns the counts of buckets into where they begin, and into tasks for the blocks that end them. A task has
/// neighbours, of at most MostKeys keys in all. Buckets that are larger and have several words are listed; if they are
/// many, all keys are. One block calls it, and `counts` is shared memory for a number for each bucket.
template <int BlockSize, int MostKeys, class Digits>
__device__ __forceinline__ void plan_buckets(std::uint32_t* counts, const bucket_state<Digits>& state,
                                             const bucket_map<Digits>& map, const bucket_part* parts, std::int64_t n,
                                             const bucket_shape& shape, const digit_passes& passes) {
  const this_block block;
  const int rank = int(block.thread_rank()), buckets = map.buckets;
#pragma unroll 1
  for (int i = rank; i < buckets; i += BlockSize) {
    counts[i] = ptx::load_relaxed(&state.counts[i]);
    state.counts[i] = 0;
  }
  block.sync();
  // A thread takes neighbours, of an odd number: so that the threads of a warp look at different banks.
  const int each = (buckets + BlockSize - 1) / BlockSize | 1;
  const int first = rank * each, end = first + each < buckets ? first + each : buckets;
  std::uint32_t own = 0;
#pragma unroll 1
  for (int i = first; i < end; ++i) own += counts[i];
  std::uint32_t at = gpuprim::block_exclusive_scan<BlockSize>(block, own, plus<std::uint32_t>{});
#pragma unroll 1
  for (int i = first; i < end; ++i) {
    const std::uint32_t count = counts[i];
    counts[i] = at;
    at += count;
  }
  block.sync();
  const std::uint32_t* const begins = counts;
  const auto begin_of = [&](int bucket) { return bucket < buckets ? begins[bucket] : std::uint32_t(n); };
  const auto count_of = [&](int bucket) { return begin_of(bucket + 1) - begins[bucket]; };
  // What is large for a task has one alone.
  const auto is_alone = [&](int bucket) { return count_of(bucket) > MostKeys - shape.task_keys; };
  const auto begins_task = [&](int bucket) {
    return bucket == 0 || is_alone(bucket) || is_alone(bucket - 1) ||
           begins[bucket] / shape.task_keys != begins[bucket - 1] / shape.task_keys;
  };
  const auto is_large = [&](int bucket) {
    const std::uint32_t count = count_of(bucket);
    if (count <= MostKeys) return false;
    return !detail::has_at_most(map, parts, unsigned(bucket), count <= shape.most_few ? shape.few_words : 1);
  };
  std::uint64_t found = 0;  // tasks, and above them large buckets
#pragma unroll 1
  for (int i = first; i < end; ++i) found += std::uint64_t(is_large(i)) << 32 | std::uint64_t(begins_task(i));
  std::uint64_t all_found;
  found = gpuprim::block_exclusive_scan<BlockSize>(block, found, plus<std::uint64_t>{}, total_to{all_found});
  const auto large_found = unsigned(all_found >> 32), tasks_found = unsigned(all_found);
  if (large_found > unsigned(shape.most_large)) {
    detail::plan_segment(state, n, passes);
    return;
  }
#pragma unroll 1
  for (int i = rank; i < all_bucket_parts && !map.is_even(); i += BlockSize) state.parts[i] = parts[i];
  if (rank == 0) {
    *state.map = map;
    state.map->has_outsiders = *state.outsiders != 0;
    *state.outsiders = 0;
    *state.way = sort_way::by_buckets;
    *state.large_found = large_found;
    *state.tasks_found = tasks_found;
  }
  auto task = unsigned(found), large = unsigned(found >> 32);
#pragma unroll 1
  for (int i = first; i < end; ++i) {
    if (begins_task(i)) state.task_begins[task++] = begins[i];
    if (is_large(i)) state.large[large++] = {begins[i], count_of(i)};
  }
#pragma unroll 1
  for (int i = rank; i < buckets; i += BlockSize) {
    state.begins[i] = begins[i];
    state.to_lows[i] = begins[i];
  }
  if (rank == 0) state.begins[buckets] = state.task_begins[tasks_found] = std::uint32_t(n);
  if (passes.begins) {
    unsigned long long of_digit = 0;
    if (rank < passes.bins) {
#pragma unroll 1
      for (int i = rank; i < buckets; i += passes.bins) of_digit += count_of(i);
    }
    const auto before = gpuprim::block_exclusive_scan<BlockSize>(block, of_digit, plus<unsigned long long>{});
    const int first_bucket = rank << passes.digit_bits;
    if (rank < passes.bins) {
      passes.begins[rank] = before;
      passes.begins[passes.bins + rank] = begin_of(first_bucket < buckets ? first_bucket : buckets);
    }
    return;
  }
  static_assert(BlockSize >= bucket_state<Digits>::most_pass_digits);
  const int highs = ((buckets - 1) >> shape.low_bits) + 1;
  std::uint32_t tiles = 0;
  if (rank < highs) {
    const int first_bucket = rank << shape.low_bits, next = first_bucket + (1 << shape.low_bits);
    state.to_highs[rank] = begins[first_bucket];
    tiles = (begin_of(next < buckets ? next : buckets) - begins[first_bucket] + shape.tile_keys - 1) / shape.tile_keys;
  }
  std::uint32_t all_tiles = tiles, before = 0;
  if (highs > 1) {
    before = gpuprim::block_exclusive_scan<BlockSize>(block, tiles, plus<std::uint32_t>{}, total_to{all_tiles});
  }
  if (rank < highs) state.tiles[rank] = before;
  if (rank == 0) state.tiles[highs] = all_tiles;
}

}  // namespace gpuprim::detail
