// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_shift.cuh>
#include <gpuprim/core/convert.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// Stands for no value before or behind a tile.
struct no_neighbour {};

template <class Neighbour>
inline constexpr bool is_neighbour = !std::is_same_v<Neighbour, no_neighbour>;

/// The value before or behind a tile, which there is.
template <class T, class Neighbour>
__device__ __forceinline__ T convert_neighbour(const Neighbour& neighbour) {
  static_assert(initial_value_for<Neighbour, T>,
                "gpuprim: the value before or behind a tile must convert to the type of its values");
  return detail::convert<T>(neighbour);
}

/// Calls use(value of the neighbour), where each thread has a value in `all`: at the edge use(outer), or if there is no
/// `outer`, nothing. That the load belongs to what uses it saves a selection of the result.
template <int BlockSize, side Side, class T, class Outer, class Use>
__device__ __forceinline__ void use_neighbour(const T* all, unsigned rank, [[maybe_unused]] const Outer& outer,
                                              const Use& use) {
  if constexpr (is_neighbour<Outer>) {
    T other = detail::value_of_neighbour<BlockSize, Side>(all, rank);
    if (rank == edge_rank<BlockSize, Side>) other = detail::convert_neighbour<T>(outer);
    use(other);
  } else {
    if (rank != edge_rank<BlockSize, Side>) use((all + rank)[Side == side::before ? -1 : 1]);
  }
}

/// Calls use(value of the neighbour) as use_neighbour, where each thread brings a value: between two block barriers.
template <int BlockSize, side Side, class Block, class T, class Outer, class Use>
__device__ __forceinline__ void exchange_neighbours(const Block& block, const T& value, const Outer& outer,
                                                    call_site here, const Use& use) {
  detail::expects_shift<BlockSize, T>(block, here);
  T* const all = detail::values_of_block<BlockSize, T>(block);
  const unsigned rank = unsigned(block.thread_rank());
  all[rank] = value;
  block.sync();
  detail::use_neighbour<BlockSize, Side>(all, rank, outer, use);
  block.sync();
}

/// The value of the neighbour; to the thread at the edge `outer`, or if there is none, a value that nobody uses.
template <int BlockSize, side Side, class Block, class T, class Outer>
__device__ __forceinline__ T find_neighbour(const Block& block, const T& value, [[maybe_unused]] const Outer& outer,
                                            call_site here) {
  T other = detail::take_from<BlockSize, Side>(block, value, here);
  if constexpr (is_neighbour<Outer>) {
    if (block.thread_rank() == edge_rank<BlockSize, Side>) other = detail::convert_neighbour<T>(outer);
  }
  return other;
}

template <class T, class Op>
GPUPRIM_HOST_DEVICE constexpr void check_difference() {
  static_assert(is_device_lambda<Op> || std::is_invocable_v<const Op&, const T&, const T&>,
                "gpuprim::block_adjacent_difference: the operator's const operator() must take two values of the type");
}

}  // namespace detail

/// Gives each of the first `valid_count` blocked values op(value, the value before it). The first value of the tile has
/// `before` there, or without it, is itself the result; `before` may be left out or `{}`.
///
/// @pre   as block_shift_up; 0 <= valid_count, where a count above the number of values is that of all. Results behind
///        it are left as they are. `results` may be `values`.
/// @sync  two block barriers: it may be called twice in a row. Accesses to shared memory before and after it are
///        ordered.
/// @order op(value, earlier value).
/// @cost  one operation a value, and block_shift_up of one value.
/// @source cub::BlockAdjacentDifference.
/// @example examples/library/81_neighbours.cu
template <int BlockSize, class Block, class T, int Items, class Result, class Op, class Before = detail::no_neighbour>
__device__ __forceinline__ void block_adjacent_difference(const Block& block, const T (&values)[Items],
                                                          Result (&results)[Items], const Op& op, Before before = {},
                                                          int valid_count = detail::all_values,
                                                          detail::call_site here = detail::call_site::current()) {
  detail::check_difference<T, Op>();
  detail::expects(valid_count >= 0, "gpuprim::block_adjacent_difference: valid_count must not be negative: it is %lld",
                  here, valid_count);
  const unsigned rank = unsigned(block.thread_rank());
  const int first = int(rank) * Items;
  const bool is_there = detail::is_valid(first, valid_count);
  const T own = values[0], last = values[Items - 1];
#pragma unroll
  for (int i = Items - 1; i > 0; --i) {
    if (detail::is_valid(first + i, valid_count)) results[i] = detail::convert<Result>(op(values[i], values[i - 1]));
  }
  if (is_there) results[0] = detail::convert<Result>(own);
  detail::exchange_neighbours<BlockSize, detail::side::before>(block, last, before, here, [&](const T& earlier) {
    if (is_there) results[0] = detail::convert<Result>(op(own, earlier));
  });
}

/// Gives each of the first `valid_count` blocked values op(value, the value behind it). The last of these has `behind`
/// there, or without it, is itself the result. In all else like block_adjacent_difference.
template <int BlockSize, class Block, class T, int Items, class Result, class Op, class Behind = detail::no_neighbour>
__device__ __forceinline__ void block_adjacent_difference_right(const Block& block, const T (&values)[Items],
                                                                Result (&results)[Items], const Op& op,
                                                                Behind behind = {},
                                                                int valid_count = detail::all_values,
                                                                detail::call_site here = detail::call_site::current()) {
  detail::check_difference<T, Op>();
  detail::expects(valid_count >= 0, "gpuprim::block_adjacent_difference: valid_count must not be negative: it is %lld",
                  here, valid_count);
  const unsigned rank = unsigned(block.thread_rank());
  const int first = int(rank) * Items;
  const int last = (valid_count < BlockSize * Items ? valid_count : BlockSize * Items) - 1;
  const T later = detail::find_neighbour<BlockSize, detail::side::behind>(block, values[0], behind, here);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!detail::is_valid(first + i, valid_count)) continue;
    bool is_last = first + i == last;
    if (valid_count == detail::all_values) is_last = i == Items - 1 && rank == BlockSize - 1;
    const T value = values[i];
    T next = later;
    if (i < Items - 1) next = values[i + 1 < Items ? i + 1 : i];
    if constexpr (detail::is_neighbour<Behind>) {
      if (is_last) next = detail::convert_neighbour<T>(behind);
      results[i] = detail::convert<Result>(op(value, next));
    } else {
      results[i] = detail::convert<Result>(value);
      if (!is_last) results[i] = detail::convert<Result>(ptx::keep_conditional(op(value, next)));
    }
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
