// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/shuffle.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

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

}  // namespace gpuprim::detail
