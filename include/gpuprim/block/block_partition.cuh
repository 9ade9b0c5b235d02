// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_compact.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Where a thread's value goes in a partition, and how many values each part has.
template <int Parts>
struct partition_place {
  int place;          ///< its number when all parts stand behind each other
  int counts[Parts];  ///< of the values of each part
};

/// partition_place of several values of a thread.
template <int Parts, int Items>
struct partition_places {
  int places[Items];  ///< the number of each when all parts stand behind each other
  int counts[Parts];  ///< of the values of each part
};

namespace detail {

template <int BlockSize, class Block>
__device__ __forceinline__ void expects_partition(const Block& block, call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_partition: the group must be a thread block");
  static_assert(BlockSize >= 0 && BlockSize <= max_block_size,
                "gpuprim::block_partition: a block has 1 to 1024 threads");
  detail::expects_block<BlockSize>(block, "gpuprim::block_partition", here);
}

template <class... Flags>
GPUPRIM_HOST_DEVICE constexpr void check_part_flags() {
  static_assert((std::is_arithmetic_v<Flags> && ...),
                "gpuprim::block_partition: parts are told by a flag each, or by arrays of as many flags, and not by a "
                "predicate: call that");
}

/// A value that is not in the first part has before it in the second what is before it at all and not in the first.
template <int BlockSize, int Items, class Block>
__device__ __forceinline__ partition_places<2, Items> partition(const Block& block, const item_flags<Items>& first,
                                                                call_site here) {
  detail::expects_partition<BlockSize>(block, here);
  auto [before, count] = detail::count_kept<BlockSize>(block, first);
  const int values = detail::block_threads<BlockSize>(block) * Items;
  partition_places<2, Items> parted{{}, {count, values - count}};
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int index = int(block.thread_rank()) * Items + i;
    parted.places[i] = first.of[i] ? before : count + index - before;
    before += first.of[i];
  }
  return parted;
}

/// The counts of two parts in one number, so that one addition over the warps joins both.
template <int BlockSize, int Items, class Block>
__device__ __forceinline__ partition_places<3, Items> partition(const Block& block, const item_flags<Items>& first,
                                                                item_flags<Items> second, call_site here) {
  detail::expects_partition<BlockSize>(block, here);
  constexpr bool fits_half_words = (BlockSize ? BlockSize : max_block_size) * Items < 1 << 16;
  using pair = std::conditional_t<fits_half_words, unsigned, unsigned long long>;
  constexpr int shift = 4 * int(sizeof(pair));
  const auto put_together = [](int a, int b) { return static_cast<pair>(a) | static_cast<pair>(b) << shift; };
  const auto low = [](pair p) { return int(p & ((pair{1} << shift) - 1)); };
#pragma unroll
  for (int i = 0; i < Items; ++i) second.of[i] = second.of[i] && !first.of[i];
  const int firsts = first.count(), seconds = second.count();
  const pair own = put_together(firsts, seconds);
  pair lanes_before;
  if constexpr (Items == 1) lanes_before = put_together(sum_before_lane<1>(firsts), sum_before_lane<1>(seconds));
  else lanes_before = detail::scan_lanes(warp_tile<warp_size>{}, own, plus<pair>{}, all_values) - own;
  const auto counts = detail::add_warps<BlockSize>(block, own, lanes_before);
  const int of_first = low(counts.total), of_second = int(counts.total >> shift);
  const int first_before = low(counts.before), second_before = int(counts.before >> shift);
  const int values = detail::block_threads<BlockSize>(block) * Items;
  partition_places<3, Items> parted{{}, {of_first, of_second, values - of_first - of_second}};
  int next_first = first_before, next_second = of_first + second_before;
  int next_third = of_first + of_second + int(block.thread_rank()) * Items - first_before - second_before;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    parted.places[i] = first.of[i] ? next_first : second.of[i] ? next_second : next_third;
    next_first += first.of[i];
    next_second += second.of[i];
    next_third += 1 - first.of[i] - second.of[i];
  }
  return parted;
}

}  // namespace detail

/// Finds where the values of a block go in a partition: first those with the flag, then the others.
///
/// @pre   as block_rank. Values that a block does not have, at the end of an array, go last without a flag; they count
///        in the last part.
/// @sync  as block_rank.
/// @order kept within each part.
/// @cost  block_rank: one addition over the warps.
/// @return the place of the calling thread's value, and the numbers of values of the parts, in every thread.
/// @source Harris, Sengupta and Owens, "Parallel prefix sum (scan) with CUDA", 2007 (split).
/// @example examples/course/15_02_partition.cu
template <int BlockSize = runtime_block_size, class Block, class Flag>
__device__ __forceinline__ partition_place<2> block_partition(const Block& block, const Flag& first,
                                                              detail::call_site here = detail::call_site::current()) {
  detail::check_part_flags<Flag>();
  const auto parted = detail::partition<BlockSize>(block, detail::item_flags<1>{{first != 0}}, here);
  return {parted.places[0], {parted.counts[0], parted.counts[1]}};
}

/// Finds where `Items` values of each thread go, those of rank 0 first.
template <int BlockSize = runtime_block_size, class Block, class Flag, int Items>
__device__ __forceinline__ partition_places<2, Items> block_partition(
    const Block& block, const Flag (&first)[Items], detail::call_site here = detail::call_site::current()) {
  return detail::partition<BlockSize>(block, detail::find_kept<Items>(first, first), here);
}

/// Finds where the values of a block go in a partition of three parts: first those with the flag `first`, then those
/// with `second` alone, then the others. One addition over the warps joins the counts of both parts.
template <int BlockSize = runtime_block_size, class Block, class First, class Second>
__device__ __forceinline__ partition_place<3> block_partition(const Block& block, const First& first,
                                                              const Second& second,
                                                              detail::call_site here = detail::call_site::current()) {
  detail::check_part_flags<First, Second>();
  const auto parted = detail::partition<BlockSize>(block, detail::item_flags<1>{{first != 0}},
                                                   detail::item_flags<1>{{second != 0}}, here);
  return {parted.places[0], {parted.counts[0], parted.counts[1], parted.counts[2]}};
}

/// Finds where `Items` values of each thread go in a partition of three parts, those of rank 0 first.
template <int BlockSize = runtime_block_size, class Block, class First, class Second, int Items>
__device__ __forceinline__ partition_places<3, Items> block_partition(
    const Block& block, const First (&first)[Items], const Second (&second)[Items],
    detail::call_site here = detail::call_site::current()) {
  return detail::partition<BlockSize>(block, detail::find_kept<Items>(first, first),
                                      detail::find_kept<Items>(second, second), here);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
