// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the segments of a sort lie, what lengths each class has, and what the launches tell each other of them.
#include <gpuprim/core/groups.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/policy/shared_memory.hpp>
#include <gpuprim/policy/sort_policy.hpp>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The most keys of a segment of a fixed length.
inline constexpr std::int64_t most_segment_items = 0xffffffff;
/// The most segments by offsets: their numbers in lists have 32 bits.
inline constexpr std::int64_t most_listed_segments = std::int64_t{1} << 32;

/// Segments by their lengths: 0 to 3 are sorted by lanes, 4 and 5 by a block, and the last in passes over memory.
inline constexpr int segment_classes = 7, long_class = segment_classes - 1;

/// A long segment, and what was reserved for it.
struct long_segment {
  segment_span span;
  unsigned long long reserved;
};

/// A tile of a long segment.
struct sort_task {
  std::int64_t begin, length;  ///< of the segment
  std::int64_t first;          ///< key of the tile, in its segment
  int count, index;            ///< keys of the tile, and its number in the segment
  int tiles;                   ///< of the segment; 0 if the tile belongs to none
  unsigned slot;               ///< of the segment, among the long ones
};

struct segmented_sort_state {
  using segment = long_segment;
  static constexpr std::uint64_t are_known = std::uint64_t{1} << 63;
  /// The number of long segments and that of their tiles are one word, so that both are counted at once.
  static constexpr int slot_shift = 40;

  // Zero before the first launch and after the last.
  unsigned* arrived;              ///< blocks
  unsigned* counted;              ///< shares of the tiles of long segments
  unsigned* ticket;               ///< of what is to be done for long segments
  unsigned long long* all_moves;  ///< the passes that move keys of any of them, a bit for each
  unsigned* sorted;               ///< tiles, as `look_back_turns` counts them
  unsigned long long* counters;   ///< of segments of each class
  // Anything before and after.
  unsigned long long* totals;  ///< of each class but the last
  unsigned* numbers[long_class];
  std::int64_t capacity[long_class];
  std::int64_t most_segments, most_tiles;  ///< long ones, and of those
  sort_task* tasks;                        ///< of each tile
  unsigned long long* digit_counts;        ///< of each long segment, for each digit
  unsigned* done;                          ///< of each long segment: tiles, in all steps together
  std::uint64_t* moves;                    ///< of each long segment: the passes that move its keys, and `are_known`
  std::uint64_t* look_back;                ///< of the tiles that are being sorted
  unsigned most_slots;                     ///< of the look-back

  segment_list list(int length_class) const { return {totals + length_class, numbers[length_class], 0}; }

  /// The tiles of all long segments, once these are noted.
  __device__ std::int64_t count_tiles() const {
    const std::int64_t noted = tiles_of(counters[long_class]);
    return noted < most_tiles ? noted : most_tiles;
  }
  __device__ static std::int64_t tiles_of(unsigned long long counted) {
    return std::int64_t(counted & ((1ull << slot_shift) - 1));
  }

  /// Reserves a slot for a long segment, and tiles behind those that are reserved already. If offsets decrease, there
  /// may be more than there is room for; their tiles do not overflow the counter up to 2^34 keys.
  __device__ unsigned long long reserve(std::int64_t tiles) const {
    unsigned long long* const counter = counters + long_class;
    const unsigned long long before = ptx::load_relaxed(counter);
    if (tiles_of(before) >= most_tiles) return before;  // so that it does not overflow
    return atomicAdd(counter, (1ull << slot_shift) + static_cast<unsigned long long>(tiles));
  }

  /// Notes the tiles of a long segment, and clears what they count. The threads of a block call it. There may be tiles
  /// of segments for which there is no room: they belong to none.
  template <class Shape>
  __device__ void note(const long_segment& found, int passes) const {
    const segment_span span = found.span;
    const std::int64_t tiles = (span.length + Shape::tile_items - 1) / Shape::tile_items;
    const std::int64_t slot = std::int64_t(found.reserved >> slot_shift), first_tile = tiles_of(found.reserved);
    const bool has_room = slot < most_segments && first_tile + tiles <= most_tiles;
    const std::int64_t items = (span.length + tiles - 1) / tiles, threads = this_block::size();
    const std::int64_t rank = this_block::thread_rank();
    for (std::int64_t i = rank; i < tiles && first_tile + i < most_tiles; i += threads) {
      const std::int64_t first = i * items, left = span.length - first;
      tasks[first_tile + i] = has_room
                                  ? sort_task{span.begin, span.length, first,         int(left < items ? left : items),
                                              int(i),     int(tiles),  unsigned(slot)}
                                  : sort_task{};
    }
    if (!has_room) return;
    for (std::int64_t i = rank; i < passes * Shape::bins; i += threads) {
      digit_counts[slot * passes * Shape::bins + i] = 0;
    }
    if (rank == 0) done[slot] = moves[slot] = 0;
  }
};

/// Shared memory that a block may have on every GPU, besides what scans and a few words take.
inline constexpr int most_segment_shared_bytes = shared_bytes_of_every_gpu - 512;
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
  using few_block = block<Policies.few, item_bytes + place_bytes>;
  using some_block = block<Policies.some, item_bytes + place_bytes>;
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
