// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the segments of a sort lie, and what the launches tell each other of them.
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>

namespace gpuprim::inline v0_1_0::detail {

/// The most keys of a segment of a fixed length.
inline constexpr std::int64_t most_segment_items = 0xffffffff;
/// The most segments by offsets: their numbers in lists have 32 bits.
inline constexpr std::int64_t most_listed_segments = std::int64_t{1} << 32;

struct segment_span {
  std::int64_t begin, length;
};

/// Segments by offsets. Those that break the promises lie among the n keys too, or are empty.
template <class Offsets>
struct spans_by_offsets {
  Offsets offsets;
  std::int64_t count, n;

  __device__ segment_span operator()(std::int64_t i) const {
    const std::int64_t begin = bound(i), length = bound(i + 1) - begin;
    return {begin, length < 0 ? 0 : length};
  }
  __device__ std::int64_t bound(std::int64_t i) const {
    const auto offset = static_cast<std::int64_t>(offsets[i]);
    return offset < 0 ? 0 : offset < n ? offset : n;
  }
};

/// Segments of one length.
struct spans_of_length {
  std::int64_t length, count;

  __device__ segment_span operator()(std::int64_t i) const { return {i * length, length}; }
};

/// The segments that one launch sorts: those of a list that an earlier launch has made, or the first `count` ones.
struct segment_list {
  const unsigned long long* total = nullptr;  ///< how many there are, if there is a list
  const unsigned* numbers = nullptr;
  std::int64_t count = 0;

  __device__ std::int64_t size() const { return total ? std::int64_t(*total) : count; }
  __device__ std::int64_t operator[](std::int64_t i) const { return numbers ? numbers[i] : i; }
};

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

/// A digit of keys: its lowest bit, and a mask. Passes behind the last digit sort by none, and keep the order.
struct digit_place {
  int bit;
  unsigned mask;
};

struct segmented_sort_state {
  /// The number of long segments and that of their tiles are one word, so that both are counted at once.
  static constexpr int slot_shift = 40;

  // Zero before the first launch and after the last.
  unsigned* arrived;             ///< blocks
  unsigned* ticket;              ///< of what is to be done for long segments
  unsigned long long* counters;  ///< of segments of each class
  // Anything before and after.
  unsigned long long* totals;  ///< of each class but the last
  unsigned* numbers[long_class];
  std::int64_t capacity[long_class];
  std::int64_t most_segments, most_tiles;  ///< long ones, and of those
  sort_task* tasks;                        ///< of each tile
  unsigned long long* digit_counts;        ///< of each long segment, for each digit
  unsigned* done;                          ///< of each long segment: tiles, in all steps together
  std::uint64_t* look_back;                ///< of each tile

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
  /// may be more than there is room for.
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
      tasks[first_tile + i] = has_room ? sort_task{span.begin, span.length, first,
                                                   int(left < items ? left : items), int(i), int(tiles), unsigned(slot)}
                                       : sort_task{};
    }
    if (!has_room) return;
    for (std::int64_t i = rank; i < passes * Shape::bins; i += threads) {
      digit_counts[slot * passes * Shape::bins + i] = 0;
    }
    if (rank == 0) done[slot] = 0;
  }
};

}  // namespace gpuprim::detail
