// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/policy/merge_policy.hpp>

#include <cstdint>

namespace gpuprim::inline v0_1_0::detail {

/// The tiles of a merge of items.
template <merge_policy Policy, class Item>
struct merge_shape {
  static constexpr int item_bytes = int(sizeof(Item)), items = Policy.items(item_bytes);
  static constexpr int block_size = Policy.threads(item_bytes), blocks = Policy.blocks(item_bytes);
  static constexpr int tile_items = block_size * items, lane_bytes = items * item_bytes;
  static_assert(tile_items * item_bytes <= most_static_shared_bytes, "gpuprim::merge: the elements are too long");
  static constexpr std::int64_t most_count = std::int64_t{0x7fffffff} * tile_items;

  static constexpr std::int64_t count_tiles(std::int64_t n) { return (n + tile_items - 1) / tile_items; }
};

}  // namespace gpuprim::detail
