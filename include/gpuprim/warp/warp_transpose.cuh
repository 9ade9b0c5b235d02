// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

constexpr int greatest_common_divisor(int a, int b) { return b == 0 ? a : detail::greatest_common_divisor(b, a % b); }

/// The number that `a` times is 1, modulo `modulus`, if they have no common divisor; 0 modulo 1.
constexpr int inverse_modulo(int a, int modulus) {
  for (int x = 0; x < modulus; ++x) {
    if (a * x % modulus == 1 % modulus) return x;
  }
  return 0;
}

/// Moves `Count` elements of `values`, the first and each `Stride` behind it, up by 0 <= amount < Count places, where
/// the first follows on the last. Registers have no address: each bit of the amount selects among two of them.
template <int Count, int Stride, class T>
__device__ __forceinline__ void rotate_up(T* values, int amount) {
#pragma unroll
  for (int bit = 1; bit < Count; bit *= 2) {
    uninitialized_array<T, Count> before;
#pragma unroll
    for (int i = 0; i < Count; ++i) before[i] = values[i * Stride];
    const bool moves = (amount & bit) != 0;
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      const T moved = before[(i + Count - bit) % Count];
      if (moves) values[i * Stride] = moved;
    }
  }
}

/// How `Items` values of each of `Lanes` lanes go from blocked to striped by one shuffle a value. In round r a lane
/// offers its value (r + turn) % Items, where turn is its rank times `common` over the lanes, and the value is the one
/// that another lane lacks. Before and after it lanes rotate their values.
template <int Items, int Lanes>
struct warp_transposition {
  static constexpr int common = greatest_common_divisor(Items, Lanes);
  static constexpr int rounds = Items / common, groups = Lanes / common;  // without a common divisor
  static constexpr int inverse_rounds = inverse_modulo(rounds % groups, groups);
  static constexpr int inverse_groups = inverse_modulo(groups % rounds, rounds);

  int rank, turn, row, place;

  __device__ explicit warp_transposition(int lane)
      : rank(lane), turn(lane / groups), row(lane / common), place(lane % common) {}

  /// The lane whose value this one takes in round `a * common + b`, and the lane that takes this one's.
  __device__ __forceinline__ int find_giver(int a, int b) const {
    const int k = (place - b) & (common - 1);
    int later = a + (place < b);
    if (later == rounds) later = 0;
    return k * groups + (((row - later) * inverse_rounds) & (groups - 1));
  }
  __device__ __forceinline__ int find_taker(int a, int b) const {
    int item = a * common + b + turn;
    if (item >= Items) item -= Items;
    return (rank * Items + item) & (Lanes - 1);
  }
  /// How far the values of the rounds b, common + b, ... are from their places.
  __device__ __forceinline__ int find_amount(int b) const {
    int amount = rounds - row % rounds + (place < b);
    if (amount >= rounds) amount -= rounds;
    return amount;
  }
  /// The number among striped values of that in place `a` of the rotated rounds, with k behind it.
  GPUPRIM_HOST_DEVICE static constexpr int number(int a, int k) { return a * inverse_groups % rounds + k * rounds; }
};

template <class Tile, class T, int Items>
GPUPRIM_HOST_DEVICE constexpr void check_transpose() {
  static_assert(tile_like<Tile> && static_tile_size<Tile> >= 1 && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_transpose: the group must be a warp_tile or thread_block_tile of up to 32 lanes, "
                "a power of two");
  static_assert(element<T>, "gpuprim::warp_transpose: the element type must be trivially copyable and assignable");
}

}  // namespace detail

/// Makes the blocked values of a tile striped: value `i` of a lane has been number `lane * Items + i` of the tile's
/// values, and becomes number `i * lanes + lane`.
///
/// @pre   All lanes of `tile` call it, a warp_tile or a thread_block_tile.
/// @sync  the lanes of the tile meet in the shuffles; memory is not ordered.
/// @order the values are moved and not changed.
/// @cost  Items shuffles a 32-bit word, and up to 2 * Items * log2(Items) selections of a word. No shared memory.
/// @source Catanzaro, Keller and Garland, "A decomposition for in-place matrix transposition", 2014.
/// @example examples/library/80_exchange.cu
template <class Tile, class T, int Items>
__device__ __forceinline__ void warp_blocked_to_striped(const Tile& tile, T (&values)[Items]) {
  detail::check_transpose<Tile, T, Items>();
  using transposition = detail::warp_transposition<Items, static_tile_size<Tile>>;
  constexpr int common = transposition::common, rounds = transposition::rounds;
  const transposition lane(int(tile.thread_rank()));
  if constexpr (Items > 1) {
    detail::rotate_up<Items, 1>(values, lane.turn == 0 ? 0 : Items - lane.turn);
#pragma unroll
    for (int r = 0; r < Items; ++r) {
      values[r] = detail::shuffle(tile, values[r], lane.find_giver(r / common, r % common));
    }
#pragma unroll
    for (int b = 0; b < common; ++b) detail::rotate_up<rounds, common>(values + b, lane.find_amount(b));
    uninitialized_array<T, Items> striped;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const int a = i / common, k = (common - i % common) % common;  // those of round b are reversed
      striped[a * common + k] = values[i];
    }
#pragma unroll
    for (int a = 0; a < rounds; ++a) {
      detail::rotate_up<common, 1>(striped.items + a * common, lane.place);
#pragma unroll
      for (int k = 0; k < common; ++k) values[transposition::number(a, k)] = striped[a * common + k];
    }
  }
}

/// Makes the striped values of a tile blocked: the inverse of warp_blocked_to_striped, in all else like it.
template <class Tile, class T, int Items>
__device__ __forceinline__ void warp_striped_to_blocked(const Tile& tile, T (&values)[Items]) {
  detail::check_transpose<Tile, T, Items>();
  using transposition = detail::warp_transposition<Items, static_tile_size<Tile>>;
  constexpr int common = transposition::common, rounds = transposition::rounds;
  const transposition lane(int(tile.thread_rank()));
  if constexpr (Items > 1) {
    uninitialized_array<T, Items> striped;
#pragma unroll
    for (int a = 0; a < rounds; ++a) {
#pragma unroll
      for (int k = 0; k < common; ++k) striped[a * common + k] = values[transposition::number(a, k)];
      detail::rotate_up<common, 1>(striped.items + a * common, (common - lane.place) % common);
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const int a = i / common, k = (common - i % common) % common;
      values[i] = striped[a * common + k];
    }
#pragma unroll
    for (int b = 0; b < common; ++b) {
      const int amount = lane.find_amount(b);
      detail::rotate_up<rounds, common>(values + b, amount == 0 ? 0 : rounds - amount);
    }
#pragma unroll
    for (int r = 0; r < Items; ++r) {
      values[r] = detail::shuffle(tile, values[r], lane.find_taker(r / common, r % common));
    }
    detail::rotate_up<Items, 1>(values, lane.turn);
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
