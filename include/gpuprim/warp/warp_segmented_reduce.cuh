// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/operators.hpp>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0 {

/// Reduces the segments of a tile: a lane with `is_head` begins one, which ends before the next such lane or with the
/// tile. Lanes before the first head are a segment of their own.
///
/// @pre   All lanes of `tile`, a `warp_tile` or `thread_block_tile` of 1 to 32 lanes, call it.
/// @sync  the lanes of the tile meet in a vote and the shuffles; memory is not ordered.
/// @order kept, by a tree that depends on the length of the segment alone.
/// @cost  one vote and log2(size) shuffles a 32-bit word, whatever the segments.
/// @return the first lane of a segment: op over the lanes of the segment in rank order; every other lane: op over the
///         lanes from its own to the last of its segment.
/// @source Blelloch, "Prefix sums and their applications", 1990 (segmented scans); CUB, HeadSegmentedReduce.
/// @example examples/library/48_in_kernel.cu
template <class Tile, class T, class Op>
__device__ __forceinline__ T warp_segmented_reduce(const Tile& tile, T value, bool is_head, const Op& op) {
  constexpr int size = static_tile_size<Tile>;
  static_assert(tile_like<Tile> && size >= 1 && size <= warp_size,
                "gpuprim::warp_segmented_reduce: the group must be a warp_tile or thread_block_tile of up to 32 lanes, "
                "a power of two");
  static_assert(element<T>,
                "gpuprim::warp_segmented_reduce: the element type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::warp_segmented_reduce: the operator's const operator() must take two values of the type and "
                "return one");
  const unsigned mask = detail::tile_mask(tile), lane = ptx::lane();
  const unsigned before_heads = __ballot_sync(mask, is_head) >> 1, last_of_tile = lane | unsigned(size - 1);
  const unsigned last = unsigned(__ffs(int((before_heads | 1u << last_of_tile) & 0xffffffffu << lane))) - 1;
#pragma unroll
  for (unsigned delta = 1; delta < unsigned(size); delta *= 2) {
    bool is_there = false;
    const T later = detail::shuffle_words(
        value, [&](unsigned word) { return ptx::shuffle_down<size>(mask, word, delta, last, is_there); });
    if (is_there) value = ptx::keep_conditional(detail::convert<T>(op(value, later)));
  }
  return value;
}

}  // namespace gpuprim
