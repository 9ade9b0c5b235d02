// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/operators.hpp>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_80.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

template <class Tile, class T, class Op>
inline constexpr bool warp_uses_redux = (static_tile_size<Tile> > 1) && ptx::has_redux<Op, T>;

/// Reduces the first `valid_count` of the first `Width` lanes of a tile to its rank 0. More than all lanes is all.
template <int Width, class Tile, class T, class Op>
__device__ __forceinline__ T warp_reduce_first(const Tile& tile, T value, const Op& op, int valid_count) {
  const int rank = int(tile.thread_rank()), lanes = int(tile.size());
  if (valid_count > lanes) valid_count = lanes;
#pragma unroll(unroll_factor<T>)
  for (int delta = 1; delta < Width; delta *= 2) {
    if (static_tile_size<Tile> == 0 && delta >= lanes) break;
    const T later = detail::shuffle_down(tile, value, unsigned(delta));
    if (rank + delta < valid_count) value = op(value, later);
  }
  return value;
}

template <class Tile, class T, class Op>
GPUPRIM_HOST_DEVICE constexpr void check_warp_arguments() {
  static_assert(tile_like<Tile>,
                "gpuprim::warp_reduce: the group must be a tile of at most 32 lanes or a coalesced group");
  static_assert(static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_reduce: a tile has at most 32 lanes; use block_reduce");
  static_assert(element<T>, "gpuprim::warp_reduce: the element type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::warp_reduce: the operator's const operator() must take two values of the type and return "
                "one");
}

}  // namespace detail

/// Reduces the values of the first `valid_count` lanes of a tile; rank 0 gets the result.
///
/// @pre   All lanes of `tile` call it; 0 <= valid_count. Values of other lanes are not used; a count above the tile's
///        size is that of all lanes.
/// @sync  the lanes of the tile meet in the shuffles; memory is not ordered.
/// @order kept, by a tree that depends on the tile's size alone.
/// @cost  log2(size) shuffles a 32-bit word.
/// @return rank 0: op over the lanes in rank order; of none the identity, if there is one. Other ranks: unspecified.
/// @source Harris, "Optimizing parallel reduction in CUDA", 2007; CUDA C++ Programming Guide, warp shuffle functions.
/// @example examples/library/01_levels.cu
template <class Tile, class T, class Op>
__device__ __forceinline__ T warp_reduce(const Tile& tile, T value, const Op& op, int valid_count,
                                         detail::call_site here = detail::call_site::current()) {
  detail::check_warp_arguments<Tile, T, Op>();
  detail::expects(0 <= valid_count, "gpuprim::warp_reduce: valid_count must not be negative: it is %lld", here,
                  valid_count);
  constexpr int size = static_tile_size<Tile>;
  if (valid_count == 0) value = detail::identity_or<Op>(value);
  return detail::warp_reduce_first<(size > 0 ? size : warp_size)>(tile, value, op, valid_count);
}

/// Reduces the values of all lanes of a tile; rank 0 gets the result. See the overload with a count; 32-bit integers
/// under a library operator take one instruction on sm_80 and newer.
template <class Tile, class T, class Op>
__device__ __forceinline__ T warp_reduce(const Tile& tile, T value, const Op& op) {
  detail::check_warp_arguments<Tile, T, Op>();
  if constexpr (detail::warp_uses_redux<Tile, T, Op>) {
    return ptx::redux<Op>(detail::tile_mask(tile), value);
  } else if constexpr (static_tile_size<Tile> > 0) {
    // All lanes join, without a test of their rank. Rank 0 gets its values in order.
#pragma unroll(unroll_factor<T>)
    for (unsigned bit = 1; bit < static_tile_size<Tile>; bit *= 2) {
      value = op(value, detail::shuffle_xor(tile, value, bit));
    }
    return value;
  } else {
    return detail::warp_reduce_first<warp_size>(tile, value, op, int(tile.size()));
  }
}

/// Reduces `Items` values of each lane of a tile, those of rank 0 first; rank 0 gets the result. A lane joins its own
/// first.
template <class Tile, class T, int Items, class Op>
__device__ __forceinline__ T warp_reduce(const Tile& tile, const T (&values)[Items], const Op& op) {
  return gpuprim::warp_reduce(tile, gpuprim::thread_reduce(values, op), op);
}

/// Reduces the values of all lanes of a tile; every lane gets the result.
///
/// @pre   All lanes of `tile` call it.
/// @sync  the lanes of the tile meet in the shuffles; memory is not ordered.
/// @order kept; every lane gets the same bits.
/// @cost  log2(size) operations, and as many shuffles a 32-bit word, one more where the result is not known to have the
///        same bits in whichever order two values are joined.
/// @return op over the lanes in rank order.
/// @source CUDA C++ Programming Guide, warp shuffle functions.
/// @example examples/library/01_levels.cu
template <class Tile, class T, class Op>
__device__ __forceinline__ T warp_all_reduce(const Tile& tile, T value, const Op& op) {
  constexpr bool is_everywhere = static_tile_size<Tile> > 0 && detail::commutes_bitwise<Op, T>;
  const T total = gpuprim::warp_reduce(tile, value, op);
  if constexpr (is_everywhere || detail::warp_uses_redux<Tile, T, Op>) return total;
  else return detail::shuffle(tile, total, 0);
}

/// Reduces `Items` values of each lane of a tile, those of rank 0 first; every lane gets the result.
template <class Tile, class T, int Items, class Op>
__device__ __forceinline__ T warp_all_reduce(const Tile& tile, const T (&values)[Items], const Op& op) {
  return gpuprim::warp_all_reduce(tile, gpuprim::thread_reduce(values, op), op);
}

/// Reduces the values of the first `valid_count` lanes of a tile; every lane gets the result.
template <class Tile, class T, class Op>
__device__ __forceinline__ T warp_all_reduce(const Tile& tile, T value, const Op& op, int valid_count,
                                             detail::call_site here = detail::call_site::current()) {
  return detail::shuffle(tile, gpuprim::warp_reduce(tile, value, op, valid_count, here), 0);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
