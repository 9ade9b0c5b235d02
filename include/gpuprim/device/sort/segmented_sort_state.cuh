// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the segments of a sort lie, and what the launches tell each other of them.
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>

#include <cstdint>

namespace gpuprim::inline v0_1_0::detail {

/// The most keys of a segment: their positions have 32 bits.
inline constexpr std::int64_t most_segment_items = 0xffffffff;
/// The most segments by offsets: so do their numbers in lists.
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
    return {begin, length < 0 ? 0 : length < most_segment_items ? length : most_segment_items};
  }

 private:
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

/// A long segment, and the first of its tiles among those of all.
struct long_segment {
  std::int64_t first_tile;
  unsigned number;
};

/// A tile of a long segment.
struct sort_task {
  std::int64_t begin;      ///< of the segment
  unsigned length;         ///< of the segment
  unsigned first;          ///< key of the tile, in its segment
  int count, index;        ///< keys of the tile, and its number in the segment
  unsigned slot;           ///< of the segment, among the long ones
};

/// A digit of keys: its lowest bit, and a mask. Passes behind the last digit sort by none, and keep the order.
struct digit_place {
  int bit;
  unsigned mask;
};

struct segmented_sort_state {
  /// The number of long segments and that of their tiles are one word, so that both are counted at once.
  static constexpr int slot_shift = 40;

  // Zero before the first launch and after it.
  unsigned* arrived;
  unsigned long long* counters;  ///< of segments of each class
  // Anything before and after.
  unsigned long long* totals;  ///< of each class; the last two words are those of long segments and of their tiles
  unsigned* numbers[long_class];
  std::int64_t capacity[long_class];
  std::int64_t most_segments, most_tiles;  ///< long ones, and of those
  long_segment* segments;
  sort_task* tasks;
  unsigned* digit_counts;    ///< of each long segment, for each digit
  std::uint64_t* look_back;  ///< of each tile
  unsigned* tickets;         ///< of each pass

  __device__ std::int64_t count_long_segments() const { return std::int64_t(totals[long_class]); }
  __device__ std::int64_t count_tiles() const { return std::int64_t(totals[long_class + 1]); }
  segment_list list(int length_class) const { return {totals + length_class, numbers[length_class], 0}; }
};

}  // namespace gpuprim::detail
