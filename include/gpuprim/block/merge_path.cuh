// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/orders.hpp>
#include <gpuprim/warp/shuffle.cuh>

#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// Element i of a range: what an iterator's reference is to be converted to, for the order takes elements.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // an iterator of the host's, or of a kernel's
#endif
template <class Range, class Index>
GPUPRIM_HOST_DEVICE constexpr decltype(auto) element_at(const Range& range, Index i) {
  if constexpr (random_access_input<Range> && !std::is_reference_v<decltype(range[i])>) {
    return static_cast<input_value<Range>>(range[i]);
  } else {
    return range[i];
  }
}

/// Whether a[i] is among the first `diagonal` elements of the merge, if not more than the others there are b's. Of
/// equal elements those of a come first.
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Index, class A, class B, class Less>
GPUPRIM_HOST_DEVICE constexpr bool lies_before(const A& a, Index i, const B& b, Index diagonal, const Less& less) {
  return !less(detail::element_at(b, diagonal - 1 - i), detail::element_at(a, i));
}

/// The part of the search that is left: the number of a's elements lies between `low` and `high`.
template <class Index>
struct path_range {
  Index low, high;

  GPUPRIM_HOST_DEVICE constexpr path_range(Index a_count, Index b_count, Index diagonal)
      : low(diagonal > b_count ? diagonal - b_count : 0), high(diagonal < a_count ? diagonal : a_count) {}
};

}  // namespace detail

/// Finds how the merge of two sorted ranges divides: how many of its first `diagonal` elements are a's. The others are
/// the first ones of b.
///
/// @pre   `a` and `b` are indexed by Index, an int or a 64-bit integer, and are sorted by `less`.
///        0 <= diagonal <= a_count + b_count.
/// @sync  none.
/// @order of equal elements those of a come before those of b.
/// @cost  log2 of the smaller count comparisons, one after the other, each of an element of a and one of b.
/// @return the number of a's elements.
/// @source Odeh, Green, Mwassi, Shmueli and Birk, "Merge path - parallel merging made simple", 2012; Green, McColl and
///         Bader, "GPU merge path: a GPU merging algorithm", 2012.
/// @example examples/library/67_merge.cu
GPUPRIM_ALLOW_DEVICE_CALLS
template <class A, class B, class Index, class Less>
GPUPRIM_HOST_DEVICE constexpr Index merge_path(const A& a, Index a_count, const B& b,
                                               std::type_identity_t<Index> b_count,
                                               std::type_identity_t<Index> diagonal, const Less& less) {
  const auto order = detail::comparing(less);
  detail::path_range<Index> left(a_count, b_count, diagonal);
  while (left.high > left.low) {
    const Index middle = left.low + (left.high - left.low) / 2;
    if (detail::lies_before(a, middle, b, diagonal, order)) left.low = middle + 1;
    else left.high = middle;
  }
  return left.low;
}

/// Does what merge_path does with all lanes of a tile: each of them looks at another element in every step, so that
/// there are fewer steps, which is faster where memory is far.
///
/// @pre   as merge_path. All lanes of `tile`, a warp_tile or a thread_block_tile, call it with the same arguments.
/// @sync  the lanes of the tile meet in the votes; memory is not ordered.
/// @order as merge_path.
/// @cost  the logarithm of the smaller count to the base of the tile's size, and one step more; in each of them a
///        comparison and a vote.
/// @return the number of a's elements, in every lane.
/// @source as merge_path.
/// @example examples/library/67_merge.cu
template <class Tile, class A, class B, class Index, class Less>
__device__ __forceinline__ Index warp_merge_path(const Tile& tile, const A& a, Index a_count, const B& b,
                                                 std::type_identity_t<Index> b_count,
                                                 std::type_identity_t<Index> diagonal, const Less& less) {
  constexpr int size = static_tile_size<Tile>;
  static_assert(tile_like<Tile> && size >= 1 && size <= warp_size,
                "gpuprim::warp_merge_path: the group must be a warp_tile or thread_block_tile of up to 32 lanes, "
                "a power of two");
  const auto order = detail::comparing(less);
  const unsigned mask = detail::tile_mask(tile);
  using distance = std::make_unsigned_t<Index>;
  const distance rank = distance(tile.thread_rank());
  detail::path_range<Index> left(a_count, b_count, diagonal);
  while (left.high > left.low) {
    const distance length = distance(left.high - left.low), step = (length + (size - 1)) / size, own = step * rank;
    const bool is_before = own < length && detail::lies_before(a, left.low + Index(own), b, diagonal, order);
    const int before = __popc(__ballot_sync(mask, is_before));
    const distance found = step * distance(before);
    if (found < length) left.high = left.low + Index(found);
    if (before > 0) left.low += Index(found - step) + 1;
  }
  return left.low;
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
