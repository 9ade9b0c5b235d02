// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim {

namespace detail {

/// Halves the rows of a lane by trading: a lane with the bit set keeps the later half, its partner the earlier one.
template <int Half, int Rows, class T, class Op>
__device__ __forceinline__ void halve_rows(uninitialized_array<T, Rows>& rows, unsigned lane, const Op& op) {
  if constexpr (Half >= 1) {
    constexpr unsigned bit = Rows / 2 / Half;
    const bool later = lane & bit;
#pragma unroll
    for (int i = 0; i < Half; ++i) {
      T kept = rows[i], given = rows[i + Half];
      if (later) {  // by value: a choice between two array elements would put the array into memory
        const T exchanged = kept;
        kept = given;
        given = exchanged;
      }
      const T got = shuffle_xor(warp_tile<warp_size>{}, given, bit);
      rows[i] = later ? op(got, kept) : op(kept, got);
    }
    halve_rows<Half / 2>(rows, lane, op);
  }
}

}  // namespace detail

/// Reduces a matrix of `Rows` values a lane in row order: all lanes of row 0, then all of row 1, and so on. It is what a
/// warp holds after coalesced loads, and what keeps the order of an operator that does not commute.
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
/// @example examples/01_levels.cu
template <int Rows, class T, class Op>
__device__ __forceinline__ T warp_all_reduce_rows(uninitialized_array<T, Rows> rows, const Op& op) {
  static_assert(Rows >= 1 && Rows <= warp_size && (Rows & (Rows - 1)) == 0,
                "gpuprim::warp_all_reduce_rows: Rows must be a power of two from 1 to 32");
  const warp_tile<warp_size> warp;
  const unsigned lane = warp.thread_rank();
  auto join = [&](const T& mine, unsigned bit) {
    const T other = detail::shuffle_xor(warp, mine, bit);
    return (lane & bit) ? op(other, mine) : op(mine, other);
  };
  detail::halve_rows<Rows / 2>(rows, lane, op);
  T value = rows[0];
  // Finish the row over the lanes that hold other parts of it.
#pragma unroll
  for (unsigned bit = Rows; bit < warp_size; bit *= 2) value = join(value, bit);
  // Join the rows: the last bit traded tells neighbouring rows apart.
#pragma unroll
  for (unsigned bit = Rows / 2; bit >= 1; bit /= 2) value = join(value, bit);
  return value;
}

}  // namespace gpuprim
