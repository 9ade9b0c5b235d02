// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_shift.cuh>

namespace gpuprim::inline v0_1_0 {

namespace detail {

/// Stands for no value before or behind a tile.
struct no_neighbour {};

/// The value before or behind a tile, or where there is none, one of the tile's, which nobody uses.
template <class Neighbour, class T>
__device__ __forceinline__ T neighbour_or(const Neighbour& neighbour, [[maybe_unused]] const T& value) {
  if constexpr (std::is_same_v<Neighbour, no_neighbour>) {
    return value;
  } else {
    static_assert(initial_value_for<Neighbour, T>,
                  "gpuprim: the value before or behind a tile must convert to the type of its values");
    return static_cast<T>(neighbour);
  }
}

template <class T, class Op>
GPUPRIM_HOST_DEVICE constexpr void check_difference() {
  static_assert(is_device_lambda<Op> || std::is_invocable_v<const Op&, const T&, const T&>,
                "gpuprim::block_adjacent_difference: the operator's const operator() must take two values of the type");
}

}  // namespace detail

/// Gives each of the first `valid_count` blocked values op(value, the value before it). The first value of the tile has
/// `before` there, or without it, is itself the result.
///
/// @pre   as block_shift_up; 0 <= valid_count, where a count above the number of values is that of all. Results behind
///        it are left as they are. `results` may be `values`.
/// @sync  two block barriers: it may be called twice in a row. Accesses to shared memory before and after it are
///        ordered.
/// @order op(value, earlier value).
/// @cost  one operation a value, and block_shift_up of one value.
/// @return nothing. `before` may be left out or `{}`.
/// @source cub::BlockAdjacentDifference.
/// @example examples/81_neighbours.cu
template <int BlockSize, class Block, class T, int Items, class Result, class Op, class Before = detail::no_neighbour>
__device__ __forceinline__ void block_adjacent_difference(const Block& block, const T (&values)[Items],
                                                          Result (&results)[Items], const Op& op,
                                                          const Before& before = {},
                                                          int valid_count = detail::all_values,
                                                          detail::call_site here = detail::call_site::current()) {
  detail::check_difference<T, Op>();
  const unsigned rank = unsigned(block.thread_rank());
  const int first = int(rank) * Items;
  const bool has_before = rank != 0 || !std::is_same_v<Before, detail::no_neighbour>;
  const T own = values[0];
  const T earlier =
      gpuprim::block_shift_up<BlockSize>(block, values[Items - 1], detail::neighbour_or(before, own), here);
#pragma unroll
  for (int i = Items - 1; i > 0; --i) {
    if (detail::is_valid(first + i, valid_count)) results[i] = static_cast<Result>(op(values[i], values[i - 1]));
  }
  if (detail::is_valid(first, valid_count)) {
    results[0] = has_before ? static_cast<Result>(op(own, earlier)) : static_cast<Result>(own);
  }
}

/// Gives each of the first `valid_count` blocked values op(value, the value behind it). The last of these has `behind`
/// there, or without it, is itself the result. In all else like block_adjacent_difference.
template <int BlockSize, class Block, class T, int Items, class Result, class Op, class Behind = detail::no_neighbour>
__device__ __forceinline__ void block_adjacent_difference_right(
    const Block& block, const T (&values)[Items], Result (&results)[Items], const Op& op, const Behind& behind = {},
    int valid_count = detail::all_values, detail::call_site here = detail::call_site::current()) {
  detail::check_difference<T, Op>();
  constexpr bool has_behind = !std::is_same_v<Behind, detail::no_neighbour>;
  const unsigned rank = unsigned(block.thread_rank());
  const int first = int(rank) * Items;
  const int last = (valid_count < BlockSize * Items ? valid_count : BlockSize * Items) - 1;
  const T own = values[Items - 1], outer = detail::neighbour_or(behind, own);
  const T later = gpuprim::block_shift_down<BlockSize>(block, values[0], outer, here);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!detail::is_valid(first + i, valid_count)) continue;
    bool is_last = first + i == last;
    if (valid_count == detail::all_values) is_last = i == Items - 1 && rank == BlockSize - 1;
    const T value = values[i];
    if (is_last && !has_behind) {
      results[i] = static_cast<Result>(value);
    } else {
      T next = later;
      if (i < Items - 1) next = values[i + 1 < Items ? i + 1 : i];
      if (is_last) next = outer;
      results[i] = static_cast<Result>(op(value, next));
    }
  }
}

}  // namespace gpuprim
