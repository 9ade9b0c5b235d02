// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/identity.hpp>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Which positions of a matrix of rows hold a value: all, or the first so many in row order.
struct all_present {
  __device__ constexpr bool operator()(int) const { return true; }
};
struct first_present {
  int count;
  __device__ bool operator()(int position) const { return position < count; }
};

/// Halves the rows of a lane by trading: a lane with the bit set keeps the later half, its partner the earlier one.
/// `row` is the number of the first row that the lane keeps.
template <int Half, int Rows, class T, class Op, class Present>
__device__ __forceinline__ void halve_rows(uninitialized_array<T, Rows>& rows, int& row, int lane, const Op& op,
                                           const Present& is_there) {
  if constexpr (Half >= 1) {
    constexpr int bit = Rows / 2 / Half;
    const bool later = lane & bit;
    row += later ? Half : 0;
#pragma unroll
    for (int i = 0; i < Half; ++i) {
      T kept = rows[i], given = rows[i + Half];
      if (later) {  // by value: a choice between two array elements would put the array into memory
        const T exchanged = kept;
        kept = given;
        given = exchanged;
      }
      const T got = detail::shuffle_xor(warp_tile<warp_size>{}, given, unsigned(bit));
      rows[i] = detail::join_partners(kept, got, later, op, is_there((row + i) * warp_size + later_half(lane, bit)));
    }
    halve_rows<Half / 2>(rows, row, lane, op, is_there);
  }
}

template <int Rows, class T, class Op, class Present>
__device__ __forceinline__ T reduce_present_rows(uninitialized_array<T, Rows>& rows, const Op& op,
                                                 const Present& is_there) {
  static_assert(Rows >= 1 && Rows <= warp_size && (Rows & (Rows - 1)) == 0,
                "gpuprim::warp_all_reduce_rows: Rows must be a power of two from 1 to 32");
  const warp_tile<warp_size> warp;
  const int lane = int(warp.thread_rank());
  int row = 0;
  halve_rows<Rows / 2>(rows, row, lane, op, is_there);
  T value = rows[0];
  // Finish the row over the lanes that hold other parts of it.
  const auto join_lanes = [&](int bit) {
    const T other = detail::shuffle_xor(warp, value, unsigned(bit));
    value = detail::join_partners(value, other, lane & bit, op, is_there(row * warp_size + later_half(lane, bit)));
  };
  if constexpr (unroll_factor<T> == 1) {  // with a factor the compiler would unroll short values later, to other code
#pragma unroll 1
    for (int bit = Rows; bit < warp_size; bit *= 2) join_lanes(bit);
  } else {
#pragma unroll
    for (int bit = Rows; bit < warp_size; bit *= 2) join_lanes(bit);
  }
  // Join the rows: the last bit traded distinguishes neighbouring rows.
#pragma unroll(unroll_factor<T>)
  for (int bit = Rows / 2; bit >= 1; bit /= 2) {
    const T other = detail::shuffle_xor(warp, value, unsigned(bit));
    const int later_row = later_half(row, Rows / 2 / bit);
    value = detail::join_partners(value, other, lane & bit, op, is_there(later_row * warp_size));
  }
  return value;
}

}  // namespace detail

/// Reduces a matrix of `Rows` values a lane in row order: all lanes of row 0, then all of row 1, and so on. It is what
/// a warp holds after coalesced loads, and what keeps the order of an operator that does not commute.
///
/// Each step halves the rows of a lane by trading half of them with the lane beside it, so that a lane ends with one
/// row; a plain reduce of each row would take 5 * Rows shuffles.
///
/// @pre   All 32 lanes call it; Rows is a power of two up to 32.
/// @sync  the lanes meet in the shuffles; memory is not ordered.
/// @order kept, rows first to last, lanes first to last within a row.
/// @cost  Rows + 4 shuffles a 32-bit word for Rows = 8, and as many operations.
/// @return every lane: the reduction.
/// @source Hillis and Steele, "Data parallel algorithms", 1986 (recursive halving).
/// @example examples/library/01_levels.cu
template <int Rows, class T, class Op>
__device__ __forceinline__ T warp_all_reduce_rows(uninitialized_array<T, Rows> rows, const Op& op) {
  return detail::reduce_present_rows(rows, op, detail::all_present{});
}

/// Reduces the first `valid_count` values of a matrix, counted in row order; see the overload without a count.
///
/// @pre   0 <= valid_count. Other values are not used; a count above 32 * Rows is that of all. The result of none is
///        the identity, if there is one.
template <int Rows, class T, class Op>
__device__ __forceinline__ T warp_all_reduce_rows(uninitialized_array<T, Rows> rows, const Op& op, int valid_count,
                                                  detail::call_site here = detail::call_site::current()) {
  detail::expects(0 <= valid_count, "gpuprim::warp_all_reduce_rows: valid_count must not be negative: it is %lld", here,
                  valid_count);
  const T total = detail::reduce_present_rows(rows, op, detail::first_present{valid_count});
  return valid_count == 0 ? detail::identity_or<Op>(total) : total;
}

}  // namespace gpuprim
