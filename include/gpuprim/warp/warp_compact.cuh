// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/warp/shuffle.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0 {

/// Where a kept value stands among the kept values of a tile or block, and how many of them there are. For a value that
/// is not kept, `place` is the number of kept ones before it.
struct kept_place {
  int place;  ///< its number among the kept values
  int count;  ///< of all kept values
};

/// A lane's value after a compaction: one of the `count` kept ones if it `is_there`, else the lane's own.
template <class T>
struct compacted {
  T value;        ///< a kept value, or the lane's own
  int count;      ///< of all kept values
  bool is_there;  ///< whether the value is a kept one
};

namespace detail {

/// The lanes of a tile whose word has a bit of `bits`: a bit for each rank.
template <class Tile>
__device__ __forceinline__ unsigned vote_by_rank(const Tile& tile, unsigned word, unsigned bits = 1) {
  constexpr int size = static_tile_size<Tile>;
  if constexpr (size == 0) {
    return tile.ballot((word & bits) != 0);
  } else {
    const unsigned votes = ptx::ballot_bits(detail::tile_mask(tile), word, bits);
    return size == warp_size ? votes : votes >> (ptx::lane() & ~unsigned(size - 1));
  }
}

template <class Tile>
__device__ __forceinline__ kept_place place_by_votes(const Tile& tile, unsigned votes) {
  return {__popc(votes & ((1u << tile.thread_rank()) - 1)), __popc(votes)};
}

/// The rank of the lane whose kept value goes to the calling one, which is among the first of as many as are kept. Of
/// the lanes that keep theirs it is the one whose place has the bits of the calling lane's rank: a vote for each bit
/// tells which have it. The votes do not depend on each other.
template <class Tile>
__device__ __forceinline__ int find_source(const Tile& tile, unsigned votes, int place) {
  constexpr unsigned size = static_tile_size<Tile> == 0 ? warp_size : static_tile_size<Tile>;
  const unsigned rank = unsigned(tile.thread_rank());
  unsigned candidates = votes;
#pragma unroll
  for (unsigned bit = 1; bit < size; bit *= 2) {
    candidates &= detail::vote_by_rank(tile, unsigned(place), bit) ^ ((rank & bit) != 0 ? 0 : ~0u);
  }
  return 31 - __clz(int(candidates));
}

/// Takes the next numbers of a counter in global memory, by one atomic operation of the tile's first lane. All lanes
/// get the first number. `from_lane` is how many the calling lane and the later ones want, so that the first lane has
/// the count of all. If the compiler knew that the lanes have one value, it would add code that joins the additions of
/// several lanes.
template <class Tile>
__device__ __forceinline__ std::int64_t take_numbers(const Tile& tile, unsigned long long* counter, int from_lane) {
  unsigned long long first = 0;
  if (tile.thread_rank() == 0) first = atomicAdd(counter, static_cast<unsigned long long>(from_lane));
  return static_cast<std::int64_t>(detail::shuffle(tile, first, 0));
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
/// @example examples/course/15_01_compaction.cu
template <class Tile, class Flag>
__device__ __forceinline__ kept_place warp_rank(const Tile& tile, Flag keep) {
  static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_rank: the group must be a tile of at most 32 lanes or a coalesced group");
  static_assert(std::is_arithmetic_v<Flag>,
                "gpuprim::warp_rank: what is kept is told by a flag, and not by a predicate: call that");
  return detail::place_by_votes(tile, detail::vote_by_rank(tile, keep != 0));
}

/// Moves the kept values of a tile to its first lanes, in order.
///
/// @pre   as warp_rank.
/// @sync  the lanes of the tile meet in a vote and a shuffle; memory is not ordered.
/// @order kept.
/// @cost  1 + log2(size) votes, and one shuffle a 32-bit word.
/// @return the value of the lane, whether it is a kept one, and how many are kept; the last in every lane.
/// @source as warp_rank.
/// @example examples/course/15_01_compaction.cu
template <class Tile, class T, class Flag>
__device__ __forceinline__ compacted<T> warp_compact(const Tile& tile, const T& value, Flag keep) {
  static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_compact: the group must be a tile of at most 32 lanes or a coalesced group");
  static_assert(element<T>, "gpuprim::warp_compact: the element type must be trivially copyable and assignable");
  static_assert(std::is_arithmetic_v<Flag>,
                "gpuprim::warp_compact: what is kept is told by a flag, and not by a predicate: call that");
  const unsigned votes = detail::vote_by_rank(tile, keep != 0);
  const auto [place, count] = detail::place_by_votes(tile, votes);
  const int rank = int(tile.thread_rank()), from = detail::find_source(tile, votes, place);
  const bool is_there = rank < count;
  return {detail::shuffle(tile, value, is_there ? from : rank), count, is_there};
}

}  // namespace gpuprim
