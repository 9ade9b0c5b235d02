// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/shuffle.cuh>

#include <cstdint>

namespace gpuprim::inline v0_1_0::detail {

/// Takes the next `count` numbers of a counter in global memory, by one atomic operation of the tile's first lane. All
/// lanes get the first of them.
template <class Tile>
__device__ __forceinline__ std::int64_t take_numbers(const Tile& tile, unsigned long long* counter, int count) {
  unsigned long long first = 0;
  if (tile.thread_rank() == 0) first = atomicAdd(counter, static_cast<unsigned long long>(count));
  return static_cast<std::int64_t>(detail::shuffle(tile, first, 0));
}

}  // namespace gpuprim::detail
