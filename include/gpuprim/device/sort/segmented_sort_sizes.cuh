// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/segmented_sort_state.cuh>
#include <gpuprim/device/sort/sort_pass.cuh>
#include <gpuprim/policy/sort_policy.hpp>

#include <type_traits>
#include <utility>

namespace gpuprim::inline v0_1_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Shared memory that a block may have on every GPU, besides what scans and a few words take.
inline constexpr int most_segment_shared_bytes = 64 * 1024 - 512;
/// And what a thread takes of it for a segment that it looks at, which is more than a digit takes.
inline constexpr int listed_segment_bytes = 14;

/// The lengths of segments that each class sorts, for keys and values of a size.
template <segmented_sort_policies Policies, int KeyBytes, int ValueBytes>
struct segment_sizes {
  static constexpr int tiles = 4, lanes_block_size = Policies.tiles_block_size;
  static constexpr int lanes_blocks = Policies.tiles_blocks_per_multiprocessor;
  static constexpr int item_bytes = KeyBytes > ValueBytes ? KeyBytes : ValueBytes;
  static constexpr int word_bytes = item_bytes > 4 ? item_bytes : 4;  // shorter keys do not make tiles longer

  /// A block with room in shared memory for its counts and its tile.
  template <sort_policy Policy, int SharedItemBytes>
  struct block {
    static constexpr int items = Policy.lane_bytes > word_bytes ? Policy.lane_bytes / word_bytes : 1;
    static constexpr int bins = 1 << Policy.digit_bits;
    static constexpr int bytes(int size) {
      return size * items * SharedItemBytes + size / warp_size * bins * 4 + size * listed_segment_bytes;
    }
    static constexpr int find_block_size() {
      int size = Policy.block_size;
      while (size > bins && size > warp_size && bytes(size) > most_segment_shared_bytes) size -= warp_size;
      return size;
    }
    static constexpr bool fits = bytes(find_block_size()) <= most_segment_shared_bytes;
    using shape = sort_shape<find_block_size(), items, Policy.digit_bits>;
  };
  static constexpr int place_bytes = ValueBytes > 0 ? 2 : 0;
  using few_block = block<Policies.few, KeyBytes + place_bytes>;
  using some_block = block<Policies.some, KeyBytes + place_bytes>;
  using many_block = block<Policies.many, item_bytes>;
  static constexpr bool fit = few_block::fits && some_block::fits && many_block::fits;
  using few = typename few_block::shape;
  using some = typename some_block::shape;
  using many = typename many_block::shape;

  struct lists {
    segment_list of[tiles];
  };

  GPUPRIM_HOST_DEVICE static constexpr segment_tile_policy tile(int length_class) {
    segment_tile_policy found = length_class == 0   ? Policies.tiny
                                : length_class == 1 ? Policies.narrow
                                : length_class == 2 ? Policies.middle
                                                    : Policies.wide;
    if (item_bytes > 8) found.items = found.items * 8 > item_bytes ? found.items * 8 / item_bytes : 1;
    return found;
  }
  /// The most keys of a segment of a class or of one before it.
  GPUPRIM_HOST_DEVICE static constexpr int most(int length_class) {
    int found = 0;
    for (int c = 0; c <= length_class; ++c) {
      const int own = c < tiles ? tile(c).lanes * tile(c).items : c == tiles ? few::tile_items : some::tile_items;
      if (own > found) found = own;
    }
    return found;
  }
  GPUPRIM_HOST_DEVICE static constexpr int find(std::int64_t length) {
    return [length]<int... Class>(std::integer_sequence<int, Class...>) {
      return (int(length > std::integral_constant<int, most(Class)>::value) + ...);
    }(std::make_integer_sequence<int, long_class>{});
  }
  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_tiles(std::int64_t length) {
    return (length + many::tile_items - 1) / many::tile_items;
  }
  /// How many segments a class can have.
  static constexpr std::int64_t capacity(int length_class, std::int64_t n, std::int64_t segments) {
    const std::int64_t fit = length_class == 0 ? 0 : n / (most(length_class - 1) + 1);
    return fit < segments ? fit : segments;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
