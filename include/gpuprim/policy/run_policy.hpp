// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/policy/shared_memory.hpp>

namespace gpuprim::inline v0_2_0 {

/// A launch shape of a pass over runs of keys.
struct run_policy {
  int block_size = 0;  ///< 0: there is no such shape
  int blocks_per_multiprocessor = 0;
  int lane_bytes = 0;  ///< of keys or of values, whichever have more, that a thread takes of a tile

  friend constexpr bool operator==(const run_policy&, const run_policy&) = default;
};

/// The shapes of a pass. With `least`, `modest` and `medium` a block takes one tile, and all tiles are worked on at
/// once; with `large` a block takes tile after tile. The first is taken that needs only one tile, or else whose tiles
/// the GPU holds at once.
struct run_policies {
  run_policy least{}, modest{}, medium{}, large{};

  friend constexpr bool operator==(const run_policies&, const run_policies&) = default;
};

/// Shared memory that a block can have on every GPU.
inline constexpr int run_shared_bytes = detail::shared_bytes_of_every_gpu;
/// Part of it that is for tiles; the rest is for what is shared of each warp, and for padding.
inline constexpr int run_tile_bytes = detail::shared_bytes_of_every_gpu - 1024;

// The bytes of a lane are an odd number of the widest words that they are a multiple of, so that lanes which read them
// together meet in no bank. Each trades the time of a tile, which few keys wait for, against the cost of a tile, which
// many keys pay: see docs/lab/runs.md, "Shapes".
namespace run_shapes {
inline constexpr run_policy least{.block_size = 128, .blocks_per_multiprocessor = 1, .lane_bytes = 32};
inline constexpr run_policy modest{.block_size = 128, .blocks_per_multiprocessor = 1, .lane_bytes = 80};
inline constexpr run_policy medium{.block_size = 256, .blocks_per_multiprocessor = 2, .lane_bytes = 92};
/// Where either keys or values have 8 bytes, `medium` tiles would hold too few of them.
inline constexpr run_policy medium_of_8_bytes{.block_size = 288, .blocks_per_multiprocessor = 2, .lane_bytes = 120};
// As much as shared memory holds of two tiles: of keys and values of one size, of two sizes, and of keys alone.
inline constexpr run_policy large_pairs{.block_size = 256, .blocks_per_multiprocessor = 3, .lane_bytes = 56};
inline constexpr run_policy large_mixed{.block_size = 256, .blocks_per_multiprocessor = 3, .lane_bytes = 72};
inline constexpr run_policy large_keys{.block_size = 256, .blocks_per_multiprocessor = 3, .lane_bytes = 92};
}  // namespace run_shapes

/// The shapes for keys with values, the wider of the values and what they are joined in. Where one of them has more
/// than 8 bytes, the mail between all tiles that the shapes of one tile a block need would take much memory.
constexpr run_policies find_reduce_by_key_policies(int key_bytes, int value_bytes) {
  using namespace run_shapes;
  if (key_bytes > 8 || value_bytes > 8) return {.large = large_mixed};
  if ((key_bytes > 4) == (value_bytes > 4)) {
    return {.least = least, .modest = modest, .medium = medium, .large = large_pairs};
  }
  return {.least = least, .modest = modest, .medium = medium_of_8_bytes, .large = large_mixed};
}

/// The shapes for keys alone.
constexpr run_policies find_run_length_policies(int key_bytes) {
  using namespace run_shapes;
  return {.least = least, .modest = modest, .medium = key_bytes > 4 ? medium_of_8_bytes : medium, .large = large_keys};
}

}  // namespace gpuprim
