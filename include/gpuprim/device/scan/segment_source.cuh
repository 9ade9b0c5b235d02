// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where segments begin, and the elements of a scan that know it.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/scan/array_source.cuh>
#include <gpuprim/device/scan/scan_parts.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Of some neighbouring elements, which begin segments of one length. It is asked for one after the other.
struct equal_heads {
  int next, length;

  __device__ bool operator()(int k) {
    const bool is_head = k == next;
    if (is_head) next += length;
    return is_head;
  }
};

/// Of segments of one length.
struct heads_by_length {
  static constexpr bool has_marks = false, may_be_apart = true, writes_all = true;
  /// What a tile notes: how many elements of its first segment are in earlier tiles.
  template <class Shape>
  struct notes {
    std::int64_t position;
  };
  std::int64_t length;
  std::uint64_t reciprocal;  ///< of the length, times 2^40

  explicit heads_by_length(std::int64_t k)
      : length(k), reciprocal(k > 0 ? (std::uint64_t{1} << 40) / std::uint64_t(k) + 1 : 0) {}
  /// A tile of a few whole segments, if they are short.
  template <class Shape>
  int find_apart() const {
    return length <= Shape::tile_items ? Shape::tile_items / int(length) * int(length) : 0;
  }
  __device__ bool is_head_before_tiles(int i) const { return i % length == 0; }
  template <class Notes>
  __device__ void begin_tile(std::int64_t first, Notes& notes) const {
    const bool are_short = std::uint64_t(first) >> 32 == 0 && std::uint64_t(length) >> 32 == 0;
    notes.position = are_short ? std::uint32_t(first) % std::uint32_t(length) : first % length;
  }
  template <class Notes>
  static __device__ void clear(Notes&) {}
  template <class Shape> static __device__ std::int64_t find(std::int64_t) { return 0; }
  template <class Shape, class Notes>
  static __device__ void mark(std::int64_t, std::int64_t, Notes&) {}
  /// Of a thread's elements of a tile, of which the first has number `at`.
  template <class Shape, class Notes>
  __device__ equal_heads heads(const Notes& notes, int at) const {
    const int is_far = Shape::tile_items;  // further than any element of the tile
    std::int64_t position = notes.position + at;
    if (length > is_far) position -= position >= length ? length : 0;
    else position -= std::int64_t(std::uint64_t(position) * reciprocal >> 40) * length;  // exact for so few elements
    const std::int64_t left = position == 0 ? 0 : length - position;
    return {left < is_far ? int(left) : is_far, length < is_far ? int(length) : is_far};
  }
};

/// Of some neighbouring elements, which begin segments.
template <int Items>
struct marked_heads {
  std::uint32_t bits[(Items + 31) / 32];

  __device__ bool operator()(int k) const { return (bits[k / 32] >> (k % 32) & 1) != 0; }
};

/// Of segments by offsets.
template <class Offsets>
struct heads_by_offsets : offset_segments<Offsets> {
  using segments = offset_segments<Offsets>;
  using segments::count;
  using segments::offsets;
  static constexpr bool has_marks = true, may_be_apart = false, writes_all = false;
  /// What a tile notes: a bit for each element, which says whether a segment begins with it.
  template <class Shape>
  struct notes {
    static constexpr int words = Shape::tile_items / 32 + 2;
    std::uint32_t bits[words];
  };
  /// Offsets that a thread looks at together, so that they cost one trip to memory.
  static constexpr int batch = 4;

  explicit constexpr heads_by_offsets(const segments& all) : segments(all) {}
  __device__ std::int64_t first() const { return this->bound(0); }
  __device__ std::int64_t last() const { return this->bound(count); }
  /// A whole warp calls it. All offsets of the first elements are at the beginning.
  __device__ bool is_head_before_tiles(int i) const {
    unsigned heads = 0;
    for (std::int64_t at = ptx::lane();; at += warp_size) {
      const std::int64_t offset = at < count ? static_cast<std::int64_t>(offsets[at]) : warp_size;
      if (offset >= 0 && offset < warp_size) heads |= 1u << unsigned(offset);
      if (__any_sync(0xffffffffu, offset >= warp_size)) break;
    }
    return (gpuprim::warp_all_reduce(warp_tile<warp_size>{}, heads, bit_or<unsigned>{}) >> i & 1) != 0;
  }
  template <class Notes>
  static __device__ void begin_tile(std::int64_t, Notes&) {}
  template <class Notes>
  static __device__ void clear(Notes& notes) {
    for (int i = int(this_block::thread_rank()); i < Notes::words; i += int(this_block::size())) notes.bits[i] = 0;
  }
  /// The offset from which on a block looks for those of a tile.
  template <class Shape>
  __device__ __forceinline__ std::int64_t find(std::int64_t first) const {
    const auto is_before = [&](std::int64_t i) { return segments::begin(i) < first; };
    return detail::find_in_order(count, Shape::block_size, is_before, [](int) {});
  }
  template <class Shape, class Notes>
  __device__ __forceinline__ void mark(std::int64_t first, std::int64_t lowest, Notes& notes) const {
    constexpr int together = batch * Shape::block_size;
    const std::int64_t end = first + Shape::tile_items;
    std::int64_t i = lowest + this_block::thread_rank();
    for (std::int64_t last = first; i < count && last < end; i += together) {
      std::int64_t own[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const std::int64_t at = i + k * Shape::block_size;
        own[k] = static_cast<std::int64_t>(offsets[at < count ? at : count - 1]);
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        if (own[k] < first || own[k] >= end) continue;
        const auto at = unsigned(own[k] - first);
        atomicOr(&notes.bits[at / 32], 1u << at % 32);
      }
      last = own[batch - 1];
    }
  }
  template <class Shape, class Notes>
  __device__ __forceinline__ marked_heads<Shape::items> heads(const Notes& notes, int at) const {
    constexpr int words = (Shape::items + 31) / 32;
    const std::uint32_t* const from = notes.bits + at / 32;
    marked_heads<Shape::items> own;
#pragma unroll
    for (int i = 0; i < words; ++i) {
      own.bits[i] = std::uint32_t((std::uint64_t(from[i + 1]) << 32 | from[i]) >> unsigned(at % 32));
    }
    return own;
  }
};

inline heads_by_length heads_of(const fixed_segments& segments) { return heads_by_length(segments.length); }
template <class Offsets>
heads_by_offsets<Offsets> heads_of(const offset_segments<Offsets>& segments) {
  return heads_by_offsets<Offsets>(segments);
}

/// What a scan of segments reads: values, and where segments begin.
template <class Values, class T, class Where>
struct segment_source : array_source<Values> {
  using base = array_source<Values>;
  using item = typename base::element;
  using element = scan_part<T>;
  template <class Shape, class Result>
  struct place : tile_place<item, Result, Shape::tile_items> {
    typename Where::template notes<Shape> notes;
  };
  static constexpr bool has_marks = Where::has_marks, may_be_apart = Where::may_be_apart;
  static constexpr bool writes_all = Where::writes_all;

  Where where;

  segment_source(const Values& values, const Where& w) : base(values), where(w) {}
  template <class Shape> int find_apart() const { return where.template find_apart<Shape>(); }
  __device__ std::int64_t begin(std::int64_t) const { return where.first(); }
  __device__ std::int64_t end(std::int64_t) const { return where.last(); }
  __device__ uninitialized_array<element, 1> before_tiles(int i, int head) const {
    uninitialized_array<element, 1> own;
    const bool is_head = where.is_head_before_tiles(i);
    if (i < head) own[0] = {detail::convert<T>(this->in[i]), is_head};
    return own;
  }
  template <class Shape, class Place>
  __device__ __forceinline__ void copy(std::int64_t first, std::int64_t n, Place& to) const {
    base::template copy<Shape>(first, n, to);
    if (this_block::thread_rank() == 0) where.begin_tile(first, to.notes);
  }
  template <class Shape, class Place>
  __device__ __forceinline__ void copy_row(std::int64_t first, Place& to, ptx::copy_round* round) const {
    base::template copy_row<Shape>(first, to, round);
    where.begin_tile(first, to.notes);
  }
  template <class Place> __device__ __forceinline__ void clear(Place& to) const { where.clear(to.notes); }
  template <class Shape>
  __device__ __forceinline__ std::int64_t find(std::int64_t first) const {
    return where.template find<Shape>(first);
  }
  template <class Shape, class Place>
  __device__ __forceinline__ void mark(std::int64_t first, std::int64_t found, Place& to) const {
    where.template mark<Shape>(first, found, to.notes);
  }
  template <class Shape, class Place>
  __device__ __forceinline__ uninitialized_array<element, Shape::items> read(Place& from, int rank) const {
    const auto own = detail::read_items<Shape::items>(from.elements(), rank);
    auto is_head = where.template heads<Shape>(from.notes, rank * Shape::items);
    uninitialized_array<element, Shape::items> parts;
#pragma unroll
    for (int k = 0; k < Shape::items; ++k) parts[k] = {detail::convert<T>(own[k]), is_head(k)};
    return parts;
  }
};

}  // namespace gpuprim::detail
