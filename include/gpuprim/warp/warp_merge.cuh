// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/sort_lanes.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <class Tile, class Key, int Items, class Less, class... Values>
__device__ __forceinline__ void merge_tile(const Tile& tile, Key (&keys)[Items], const Less& less, int valid_count,
                                           call_site here, Values*... values) {
  static_assert(static_tile_size<Tile> >= 2, "gpuprim::warp_merge: the group must be a tile of 2 to 32 lanes");
  detail::sort_tile<static_tile_size<Tile> / 2>(tile, keys, less, valid_count, here, values...);
}

}  // namespace detail

/// Merges two sorted runs in place: that of the first half of the lanes of a tile, and that of the second half. Each
/// lane has one key, or an array of 1 to 8: key `i` of a lane is number `lane * Items + i`.
///
/// @pre   as warp_sort, but the tile has at least two lanes, and the keys of each half are sorted.
/// @sync  the lanes of the tile meet in the shuffles; memory is not ordered.
/// @order kept among equal keys.
/// @cost  Items * log2(size) shuffles of a key and, unless the keys are integers in the order of `<` or `>`, of its
///        place. No shared memory.
/// @source as warp_sort.
/// @example examples/library/67_merge.cu
template <class Tile, class Keys, class Less>
__device__ __forceinline__ void warp_merge(const Tile& tile, Keys& keys, const Less& less,
                                           int valid_count = detail::all_values,
                                           detail::call_site here = detail::call_site::current()) {
  detail::merge_tile(tile, detail::as_array(keys), less, valid_count, here);
}

/// Merges two runs of keys, and the values beside them: Items * Items shuffles of a value more.
template <class Tile, class Keys, class Values, class Less>
  requires(std::extent_v<Keys> == std::extent_v<Values> && !std::is_integral_v<Less>)
__device__ __forceinline__ void warp_merge(const Tile& tile, Keys& keys, Values& values, const Less& less,
                                           int valid_count = detail::all_values,
                                           detail::call_site here = detail::call_site::current()) {
  detail::merge_tile(tile, detail::as_array(keys), less, valid_count, here, detail::as_array(values));
}

}  // namespace gpuprim
