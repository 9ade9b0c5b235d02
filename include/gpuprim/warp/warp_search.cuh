// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/thread/thread_search.cuh>
#include <gpuprim/warp/warp_compact.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// Each lane looks at another element in every step.
template <insertion Which, class Tile, class Sorted, class Index, class Value, class Less>
__device__ __forceinline__ Index find_bound_together(const Tile& tile, const Sorted& sorted, Index n,
                                                     const Value& value, const Less& less) {
  static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_lower_bound: the group must be a tile of at most 32 lanes or a coalesced group");
  const auto order = detail::comparing(less);
  using distance = std::make_unsigned_t<Index>;
  const distance rank = distance(tile.thread_rank()), lanes = distance(tile.size());
  if (lanes == 1) return detail::find_bound<Which>(sorted, n, value, less);
  Index first = 0;
  while (n > 0) {
    const distance length = distance(n), step = (length + (lanes - 1)) / lanes, own = step * rank;
    const bool goes_on = own < length && detail::lies_before_bound<Which>(sorted[first + Index(own)], value, order);
    const distance before = distance(__popc(detail::vote_by_rank(tile, goes_on))), found = step * before;
    const Index end = first + (found < length ? Index(found) : n);
    if (before > 0) first += Index(found - step) + 1;
    n = end - first;
  }
  return first;
}

}  // namespace detail

/// Does what thread_lower_bound does for one value with all lanes of a tile: there are fewer steps, which is faster
/// where memory is far.
///
/// @pre   as thread_lower_bound. All lanes of `tile`, which has 1 to 32, or of a coalesced group, call it with the same
///        arguments.
/// @sync  the lanes of the tile meet in votes; memory is not ordered.
/// @order as thread_lower_bound.
/// @cost  the logarithm of n to the base of the tile's size, and one step more, each of a comparison and a vote. One
///        lane alone searches as a thread.
/// @return the position, in every lane.
/// @source Kim and others, "FAST: fast architecture sensitive tree search on modern CPUs and GPUs", 2010.
/// @example examples/library/92_sorted_search.cu
template <class Tile, class Sorted, class Index, class Value, class Less = detail::before_or_behind>
__device__ __forceinline__ Index warp_lower_bound(const Tile& tile, const Sorted& sorted, Index n, const Value& value,
                                                  const Less& less = {}) {
  return detail::find_bound_together<detail::insertion::first>(tile, sorted, n, value, less);
}

/// Does what thread_upper_bound does for one value with all lanes of a tile. See warp_lower_bound.
template <class Tile, class Sorted, class Index, class Value, class Less = detail::before_or_behind>
__device__ __forceinline__ Index warp_upper_bound(const Tile& tile, const Sorted& sorted, Index n, const Value& value,
                                                  const Less& less = {}) {
  return detail::find_bound_together<detail::insertion::last>(tile, sorted, n, value, less);
}

/// Does what thread_binary_search does for one value with all lanes of a tile. See warp_lower_bound.
template <class Tile, class Sorted, class Index, class Value, class Less = detail::before_or_behind>
__device__ __forceinline__ bool warp_binary_search(const Tile& tile, const Sorted& sorted, Index n, const Value& value,
                                                   const Less& less = {}) {
  const Index at = gpuprim::warp_lower_bound(tile, sorted, n, value, less);
  return at < n && !detail::comparing(less)(value, sorted[at]);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
