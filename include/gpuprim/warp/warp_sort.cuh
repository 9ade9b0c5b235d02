// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/sort_lanes.cuh>

namespace gpuprim::inline v0_2_0 {

/// Sorts the keys of a tile in place, of which each lane has one, or an array of 1 to 8: key `i` of a lane is number
/// `lane * Items + i`.
///
/// @pre   All lanes of `tile` call it, a warp_tile or a thread_block_tile. `less(a, b)` says whether a comes before b,
///        and is a strict weak order. 0 <= valid_count: only that many of the first keys are sorted, and `less` does
///        not see the others, which become unspecified.
/// @sync  the lanes of the tile meet in the shuffles; memory is not ordered.
/// @order kept among equal keys.
/// @cost  Items * log2(size) * (log2(size) + 1) / 2 shuffles of a key and, unless the keys are integers in the order of
///        `<` or `>`, of its place. No shared memory.
/// @source Batcher, "Sorting networks and their applications", 1968; Baudet and Stevenson, "Optimal sorting algorithms
///         for parallel computers", 1978.
/// @example examples/library/66_merge_sort.cu
template <class Tile, class Keys, class Less>
__device__ __forceinline__ void warp_sort(const Tile& tile, Keys& keys, const Less& less,
                                          int valid_count = detail::all_values,
                                          detail::call_site here = detail::call_site::current()) {
  detail::sort_tile<0>(tile, detail::as_array(keys), less, valid_count, here);
}

/// Sorts the keys of a tile, one or several of each lane, and the values beside them: Items * Items shuffles of a value
/// more.
template <class Tile, class Keys, class Values, class Less>
  requires(std::extent_v<Keys> == std::extent_v<Values> && !std::is_integral_v<Less>)
__device__ __forceinline__ void warp_sort(const Tile& tile, Keys& keys, Values& values, const Less& less,
                                          int valid_count = detail::all_values,
                                          detail::call_site here = detail::call_site::current()) {
  detail::sort_tile<0>(tile, detail::as_array(keys), less, valid_count, here, detail::as_array(values));
}

}  // namespace gpuprim
