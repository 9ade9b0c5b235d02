// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/append_queue.hpp>
#include <gpuprim/warp/warp_compact.cuh>

namespace gpuprim::inline v0_2_0 {

/// Appends the wanted values of a tile to a queue in global memory.
///
/// @pre   All lanes of `tile`, which has 1 to 32, or of a coalesced group, call it.
/// @sync  the lanes of the tile meet in a vote and a shuffle; memory is not ordered. A later launch may read the items.
/// @order the values of a tile stand side by side in rank order; those of tiles stand in any order.
/// @cost  one vote and one atomic operation on global memory, or none where no value is wanted.
/// @return where the value stands: `stored` is 1, or 0 where it is not wanted or does not fit.
/// @source Harris, "Warp-aggregated atomics", 2014.
/// @example examples/course/15_03_append.cu
template <class Tile, class T, class Flag>
__device__ __forceinline__ appended warp_append(const Tile& tile, const append_queue<T>& queue,
                                                const std::type_identity_t<T>& value, Flag wanted) {
  static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_append: the group must be a tile of at most 32 lanes or a coalesced group");
  static_assert(element<T>, "gpuprim::warp_append: the element type must be trivially copyable and assignable");
  static_assert(std::is_arithmetic_v<Flag>,
                "gpuprim::warp_append: what is wanted is told by a flag, and not by a predicate: call that");
  const auto [place, count] = gpuprim::warp_rank(tile, wanted);
  if (count == 0) return {0, 0};
  const std::int64_t at = detail::take_numbers(tile, queue.count, count - place) + place;
  const bool is_stored = wanted != 0 && at < queue.capacity;
  if (is_stored) queue.items[at] = value;
  return {at, is_stored};
}

/// Appends the values of all lanes, without a vote: of a coalesced group, whose lanes are those that want to append.
template <class Group, class T>
__device__ __forceinline__ appended warp_append(const Group& group, const append_queue<T>& queue,
                                                const std::type_identity_t<T>& value) {
  static_assert(tile_like<Group> && static_tile_size<Group> <= warp_size,
                "gpuprim::warp_append: the group must be a tile of at most 32 lanes or a coalesced group");
  static_assert(element<T>, "gpuprim::warp_append: the element type must be trivially copyable and assignable");
  const std::int64_t at = detail::take_numbers(group, queue.count, int(group.size())) + int(group.thread_rank());
  const bool is_stored = at < queue.capacity;
  if (is_stored) queue.items[at] = value;
  return {at, is_stored};
}

}  // namespace gpuprim
