// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/merge_items.cuh>
#include <gpuprim/core/rounding.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/policy/merge_policy.hpp>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

template <class Item>
inline constexpr bool is_pair_item = false;
template <class Key, class Value>
inline constexpr bool is_pair_item<key_value<Key, Value>> = true;

/// The tiles of a merge of items.
template <merge_policy Policy, class Item>
struct merge_shape {
  static constexpr int item_bytes = int(sizeof(Item)), items = Policy.items(item_bytes);
  static constexpr int block_size = Policy.threads(item_bytes);
  static constexpr int wanted_blocks = Policy.blocks(item_bytes), most_blocks = most_resident_threads / block_size;
  static constexpr int blocks = wanted_blocks < most_blocks ? wanted_blocks : most_blocks;
  static constexpr int tile_items = block_size * items, lane_bytes = items * item_bytes;
  static constexpr int search_lanes = Policy.search_lanes;
  static constexpr int bytes_beside = 64;  ///< of shared memory, for what the kernels know of a tile
  static_assert((tile_items + 1) * item_bytes + bytes_beside <= most_static_shared_bytes,
                "gpuprim::merge: the elements are too long");
  static constexpr std::int64_t most_count = std::int64_t{0x7fffffff} * tile_items;

  /// Tiles that one block of a sort takes where there are many, which saves a pass: two where they fit in shared
  /// memory, to which pairs go twice.
  static constexpr int two_tiles_bytes = (is_pair_item<Item> ? 4 : 2) * tile_items * item_bytes;
  static constexpr int sort_tiles = two_tiles_bytes <= most_static_shared_bytes && 2 * block_size <= 1024 ? 2 : 1;

  static constexpr std::int64_t count_tiles(std::int64_t n) { return detail::ceil_div(n, tile_items); }
};

}  // namespace gpuprim::detail
