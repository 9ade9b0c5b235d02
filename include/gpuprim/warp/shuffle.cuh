// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/operator_traits.hpp>
#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/ptx/sm_70_lanes.cuh>

#include <cstring>

namespace gpuprim::inline v0_2_0::detail {

/// Mask of the lanes of a tile whose size is fixed at compile time.
template <class Tile>
__device__ __forceinline__ unsigned tile_mask(const Tile&) {
  constexpr int size = static_tile_size<Tile>;
  if constexpr (size == warp_size) return 0xffffffffu;
  else return ((1u << size) - 1) << (ptx::lane() & ~unsigned(size - 1));
}

/// Moves a value of any size through `move(word)`, a shuffle of 32-bit words.
template <element T, class Move>
__device__ __forceinline__ T shuffle_words(const T& value, Move move) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned buffer[words];
  if constexpr (sizeof(T) % 4 != 0) buffer[words - 1] = 0;
  std::memcpy(buffer, detail::pointer_to(value), sizeof(T));
#pragma unroll(unroll_factor<T>)
  for (int i = 0; i < words; ++i) buffer[i] = move(buffer[i]);
  uninitialized_array<T, 1> result;
  std::memcpy(static_cast<void*>(detail::pointer_to(result)), buffer, sizeof(T));
  return result[0];
}

template <class Tile, class T>
__device__ __forceinline__ T shuffle(const Tile& tile, const T& value, int rank) {
  return detail::shuffle_words(value, [&](unsigned word) { return tile.shfl(word, rank); });
}

template <class Tile, class T>
__device__ __forceinline__ T shuffle_down(const Tile& tile, const T& value, unsigned delta) {
  return detail::shuffle_words(value, [&](unsigned word) { return tile.shfl_down(word, delta); });
}

template <class Tile, class T>
__device__ __forceinline__ T shuffle_xor(const Tile& tile, const T& value, unsigned bits) {
  return detail::shuffle_words(value, [&](unsigned word) { return tile.shfl_xor(word, bits); });
}

/// From the lane `delta` before, in a whole warp; the first lanes keep theirs.
template <element T>
__device__ __forceinline__ T shuffle_up(const T& value, unsigned delta) {
  return detail::shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(0xffffffffu, word, delta); });
}

/// A value of another lane, if there is such a lane.
template <class T>
struct value_from {
  T value;
  bool is_there;
};

/// From the lane `delta` before, if the tile has one.
template <class Tile, element T>
__device__ __forceinline__ value_from<T> shuffle_up(const Tile& tile, const T& value, unsigned delta) {
  bool is_there = tile.thread_rank() >= delta;
  const T earlier = detail::shuffle_words(value, [&](unsigned word) {
    if constexpr (static_tile_size<Tile> == 0) return tile.shfl_up(word, delta);
    else return ptx::shuffle_up<static_tile_size<Tile>>(detail::tile_mask(tile), word, delta, is_there);
  });
  return {earlier, is_there};
}

/// Joins a lane's value with its partner's, so that both of them get the same bits. The operands are chosen first: an
/// operator in both arms of a condition would be computed twice. Values that are there come first, so that the earlier
/// one of the two is.
template <class T, class Op>
__device__ __forceinline__ T join_partners(const T& mine, const T& other, bool mine_is_later, const Op& op,
                                           bool later_is_there = true) {
  T earlier = mine, later = other;
  if (mine_is_later && !(commutes_bitwise<Op, T> && later_is_there)) {
    earlier = other;  // by value: a choice between two array elements would put the array into memory
    later = mine;
  }
  return later_is_there ? op(earlier, later) : earlier;
}

/// The first lane of the later half of the group of 2 * bit lanes around this one.
__device__ __forceinline__ int later_half(int lane, int bit) { return (lane & -2 * bit) + bit; }

}  // namespace gpuprim::detail
