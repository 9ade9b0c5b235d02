// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_adjacent_difference.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

template <class T, class Differ>
GPUPRIM_HOST_DEVICE constexpr void check_inequality() {
  static_assert(is_device_lambda<Differ> || std::is_invocable_r_v<bool, const Differ&, const T&, const T&>,
                "gpuprim::block_discontinuity: the inequality's const operator() must take two values and return a "
                "bool");
}

/// The flags of a thread's values from `First` to `Last`, each of which is flagged if it differs from the one before.
template <int First, int Last, class T, int Items, class Flag, class Differ>
__device__ __forceinline__ void flag_within(const T (&values)[Items], Flag (&flags)[Items], int shift,
                                            const Differ& differ) {
#pragma unroll
  for (int i = First; i < Last; ++i) flags[i - shift] = static_cast<Flag>(bool(differ(values[i - 1], values[i])));
}

}  // namespace detail

/// Flags the heads of the runs of blocked values: those that differ from the value before. The first value of the tile
/// is compared with `before`; without it, it is a head. `flags[i]` becomes 1 or 0; `before` may be left out or `{}`.
///
/// @pre   as block_shift_up.
/// @sync  two block barriers: it may be called twice in a row. Accesses to shared memory before and after it are
///        ordered.
/// @order differ(earlier value, value).
/// @cost  one comparison a value, and block_shift_up of one value.
/// @source cub::BlockDiscontinuity.
/// @example examples/library/81_neighbours.cu
template <int BlockSize, class Block, class T, int Items, class Flag, class Differ, class Before = detail::no_neighbour>
__device__ __forceinline__ void block_flag_heads(const Block& block, const T (&values)[Items], Flag (&flags)[Items],
                                                 const Differ& differ, Before before = {},
                                                 detail::call_site here = detail::call_site::current()) {
  detail::check_inequality<T, Differ>();
  bool is_head = true;
  const auto compare = [&](const T& earlier) { is_head = differ(earlier, values[0]); };
  detail::exchange_neighbours<BlockSize, detail::side::before>(block, values[Items - 1], before, here, compare);
  detail::flag_within<1, Items>(values, flags, 0, differ);
  flags[0] = static_cast<Flag>(is_head);
}

/// Flags the tails of the runs of blocked values: those that differ from the value behind. The last value of the tile
/// is compared with `behind`; without it, it is a tail. In all else like block_flag_heads.
template <int BlockSize, class Block, class T, int Items, class Flag, class Differ, class Behind = detail::no_neighbour>
__device__ __forceinline__ void block_flag_tails(const Block& block, const T (&values)[Items], Flag (&flags)[Items],
                                                 const Differ& differ, Behind behind = {},
                                                 detail::call_site here = detail::call_site::current()) {
  detail::check_inequality<T, Differ>();
  bool is_tail = true;
  const auto compare = [&](const T& later) { is_tail = differ(values[Items - 1], later); };
  detail::exchange_neighbours<BlockSize, detail::side::behind>(block, values[0], behind, here, compare);
  detail::flag_within<1, Items>(values, flags, 1, differ);
  flags[Items - 1] = static_cast<Flag>(is_tail);
}

/// Flags the heads and the tails of the runs of blocked values: block_flag_heads and block_flag_tails at once, with two
/// barriers in all and `2 * BlockSize * sizeof(T)` bytes of shared memory, twice `block_shift_bytes` of a
/// block_with_memory.
template <int BlockSize, class Block, class T, int Items, class Flag, class Differ, class Before = detail::no_neighbour,
          class Behind = detail::no_neighbour>
__device__ __forceinline__ void block_flag_heads_and_tails(const Block& block, const T (&values)[Items],
                                                           Flag (&heads)[Items], Flag (&tails)[Items],
                                                           const Differ& differ, Before before = {}, Behind behind = {},
                                                           detail::call_site here = detail::call_site::current()) {
  detail::check_inequality<T, Differ>();
  detail::expects_shift<BlockSize, T, 2>(block, here);
  static_assert(detail::has_memory<Block> || 2 * BlockSize * sizeof(T) <= detail::most_static_shared_bytes,
                "gpuprim::block_flag_heads_and_tails: two values of each thread must fit in 48 KiB of shared memory, "
                "or the group be a gpuprim::block_with_memory");
  T* const firsts = detail::values_of_block<2 * BlockSize, T>(block);
  T* const lasts = firsts + BlockSize;
  const unsigned rank = unsigned(block.thread_rank());
  const T first = values[0], last = values[Items - 1];
  firsts[rank] = first;
  lasts[rank] = last;
  block.sync();
  bool is_first = true, is_last = true;
  detail::use_neighbour<BlockSize, detail::side::before>(lasts, rank, before,
                                                         [&](const T& earlier) { is_first = differ(earlier, first); });
  detail::use_neighbour<BlockSize, detail::side::behind>(firsts, rank, behind,
                                                         [&](const T& later) { is_last = differ(last, later); });
  block.sync();
  heads[0] = static_cast<Flag>(is_first);
#pragma unroll
  for (int i = 1; i < Items; ++i) {
    const bool is_head = differ(values[i - 1], values[i]);
    tails[i - 1] = static_cast<Flag>(is_head);
    heads[i] = static_cast<Flag>(is_head);
  }
  tails[Items - 1] = static_cast<Flag>(is_last);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
