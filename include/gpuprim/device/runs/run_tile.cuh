// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/policy/run_policy.hpp>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_80.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/warp/join_lanes.cuh>

#include <cstdint>

namespace gpuprim::detail {

GPUPRIM_HOST_DEVICE constexpr int larger(int a, int b) { return a < b ? b : a; }

/// How many tiles a block takes: one, for which it waits; or one after the other, of which the next one is on its way
/// to shared memory while the block works on one.
enum class block_tiles { one, many };

/// Keys, and values, that a block takes at once, and how many such tiles it holds.
template <int BlockSize, int Items, block_tiles Tiles>
struct run_shape {
  static constexpr int block_size = BlockSize, items = Items, warps = BlockSize / warp_size;
  static constexpr int stages = Tiles == block_tiles::one ? 1 : 2;
  static constexpr int tile_items = BlockSize * Items;
  static_assert(Items >= 1 && Items <= warp_size, "a thread's boundaries fit in a word");
  static_assert(tile_items <= 65536, "positions in a tile have 16 bits");
};

}  // namespace gpuprim::detail
