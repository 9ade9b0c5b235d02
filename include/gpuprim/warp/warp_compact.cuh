// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_1_0 {

/// Where a kept value stands among the kept values of a tile or block, and how many of them there are. For a value that
/// is not kept, `place` is the number of kept ones before it.
struct kept_place {
  int place, count;
};

/// A lane's value after a compaction: one of the `count` kept ones if it `is_there`, else the lane's own.
template <class T>
struct compacted {
  T value;
  int count;
  bool is_there;
};

namespace detail {

/// The lanes of a tile whose flag is set: a bit for each rank.
template <class Tile>
__device__ __forceinline__ unsigned vote_by_rank(const Tile& tile, bool flag) {
  constexpr int size = static_tile_size<Tile>;
  if constexpr (size == 0) {
    return tile.ballot(flag);
  } else {
    const unsigned votes = __ballot_sync(detail::tile_mask(tile), flag);
    return size == warp_size ? votes : votes >> (ptx::lane() & ~unsigned(size - 1));
  }
}

template <class Tile>
__device__ __forceinline__ kept_place place_by_votes(const Tile& tile, unsigned votes) {
  return {__popc(votes & ((1u << tile.thread_rank()) - 1)), __popc(votes)};
}

/// The position of a set bit, the one with `before` others below it, among the lowest `Bits`; any position if there
/// is none.
template <int Bits>
__device__ __forceinline__ int find_set_bit(unsigned bits, int before) {
  int at = 0;
#pragma unroll
  for (int half = Bits / 2; half > 0; half /= 2) {
    const int below = __popc(bits & ((1u << half) - 1));
    if (before < below) continue;
    before -= below;
    bits >>= half;
    at += half;
  }
  return at;
}

}  // namespace detail

/// Numbers the lanes of a tile that keep something.
///
/// @pre   All lanes of `tile`, which has 1 to 32, or of a coalesced group, call it.
/// @sync  the lanes of the tile meet in a vote; memory is not ordered.
/// @order the places follow the ranks.
/// @cost  one vote. A coalesced group of less than a warp packs the votes in a loop; where all of its lanes keep
///        something, their ranks and the size of the group are the same numbers at no cost.
/// @return the number of lanes before the calling one that keep theirs, and that of all in the tile.
/// @source Harris, "Warp-aggregated atomics", 2014; Billeter, Olsson and Assarsson, "Efficient stream compaction on
///         wide SIMD many-core architectures", 2009.
/// @example examples/30_compaction.cu
template <class Tile>
__device__ __forceinline__ kept_place warp_rank(const Tile& tile, bool keep) {
  static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_rank: the group must be a tile of at most 32 lanes or a coalesced group");
  return detail::place_by_votes(tile, detail::vote_by_rank(tile, keep));
}

/// Moves the kept values of a tile to its first lanes, in order.
///
/// @pre   as warp_rank.
/// @sync  the lanes of the tile meet in a vote and a shuffle; memory is not ordered.
/// @order kept.
/// @cost  one vote, log2(size) counts of bits to find the lane to read from, and one shuffle a 32-bit word.
/// @return the value of the lane, whether it is a kept one, and how many are kept; the last in every lane.
/// @source as warp_rank.
/// @example examples/30_compaction.cu
template <class Tile, class T>
__device__ __forceinline__ compacted<T> warp_compact(const Tile& tile, const T& value, bool keep) {
  constexpr int size = static_tile_size<Tile>;
  static_assert(tile_like<Tile> && size <= warp_size,
                "gpuprim::warp_compact: the group must be a tile of at most 32 lanes or a coalesced group");
  static_assert(element<T>, "gpuprim::warp_compact: the element type must be trivially copyable and assignable");
  const unsigned votes = detail::vote_by_rank(tile, keep);
  const int rank = int(tile.thread_rank()), count = __popc(votes);
  const bool is_there = rank < count;
  const int from = detail::find_set_bit<size == 0 ? warp_size : size>(votes, rank);
  return {detail::shuffle(tile, value, is_there ? from : rank), count, is_there};
}

}  // namespace gpuprim
