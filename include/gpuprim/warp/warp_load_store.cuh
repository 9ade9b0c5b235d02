// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/warp/warp_scan.cuh>
#include <gpuprim/warp/warp_transpose.cuh>

namespace gpuprim::inline v0_2_0 {

/// Loads the values of a tile of lanes, each of which gets `Items` neighbouring ones. Accesses are coalesced, and the
/// lanes exchange what they have loaded.
///
/// @pre   All lanes of `tile`, a warp_tile or a thread_block_tile, call it with the same arguments. `in`: a pointer or
///        a random-access iterator to the tile's values; those behind `valid_count`, which is not negative, are not
///        read, and their places in `values` stay as they are.
/// @sync  the lanes of the tile meet in the shuffles; memory is not ordered.
/// @order value i of a lane is number `lane * Items + i`.
/// @cost  as warp_striped_to_blocked, and Items loads.
/// @source Catanzaro, Keller and Garland, "A decomposition for in-place matrix transposition", 2014.
/// @example examples/library/80_exchange.cu
template <class Tile, class In, class T, int Items>
__device__ __forceinline__ void warp_load(const Tile& tile, const In& in, T (&values)[Items],
                                          int valid_count = detail::all_values) {
  constexpr int lanes = static_tile_size<Tile>;
  static_assert(random_access_input<In>, "gpuprim::warp_load: the input must be a pointer or a random-access iterator");
  const int rank = int(tile.thread_rank());
  uninitialized_array<T, Items> loaded;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int number = i * lanes + rank;
    loaded[i] = number < valid_count ? detail::convert<T>(in[number]) : values[i];
  }
  gpuprim::warp_striped_to_blocked(tile, loaded.items);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (rank * Items + i < valid_count) values[i] = loaded[i];
  }
}

/// Stores the values of a tile of lanes, each of which has `Items` neighbouring ones. See warp_load; places behind
/// `valid_count` are not written.
template <class Tile, class T, int Items, class Out>
__device__ __forceinline__ void warp_store(const Tile& tile, const T (&values)[Items], const Out& out,
                                           int valid_count = detail::all_values) {
  constexpr int lanes = static_tile_size<Tile>;
  static_assert(detail::takes_results<Out, T>, "gpuprim::warp_store: the output must take values of the element type");
  const int rank = int(tile.thread_rank());
  uninitialized_array<T, Items> striped;
#pragma unroll
  for (int i = 0; i < Items; ++i) striped[i] = values[i];
  gpuprim::warp_blocked_to_striped(tile, striped.items);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int number = i * lanes + rank;
    if (number < valid_count) detail::assign(out[number], striped[i]);
  }
}

}  // namespace gpuprim
