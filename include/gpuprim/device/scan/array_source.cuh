// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/tile_copy.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Room for the elements of a tile, which its results take the place of.
template <class T, class Result, int Count>
struct alignas(shared_line) tile_place {
  static constexpr int widest = sizeof(T) > sizeof(Result) ? int(sizeof(T)) : int(sizeof(Result));
  unsigned char bytes[Count * widest];

  __device__ T* elements() { return reinterpret_cast<T*>(bytes); }
  __device__ Result* results() { return reinterpret_cast<Result*>(bytes); }
};

/// What most sources of a scan say.
struct source_defaults {
  /// Whether no value need go from tile to tile where these are chosen so. `find_apart<Shape>()` then returns elements
  /// of such a tile, or 0 if there is none.
  static constexpr bool may_be_apart = false;
  /// Whether the results of all elements are written; else those from `begin(n)` up to `end(n)`, where the input has n.
  static constexpr bool writes_all = true;
  /// What else a place of a tile holds. All threads clear it and, behind a barrier, complete it with what a warp has
  /// found.
  static constexpr bool has_marks = false;
  template <class Place>
  static __device__ void clear(Place&) {}
  template <class Shape> static __device__ std::int64_t find(std::int64_t) { return 0; }
  template <class Shape, class Place>
  static __device__ void mark(std::int64_t, std::int64_t, Place&) {}
};

/// What a scan reads: one array or iterator.
template <class In>
struct array_source : source_defaults {
  using element = input_value<In>;
  template <class Shape, class Result>
  using place = tile_place<element, Result, Shape::tile_items>;
  /// Bytes that an element has where results take the place of elements.
  static constexpr int replaced_bytes = int(sizeof(element));
  template <class Shape>
  static constexpr bool may_have_rows = detail::may_have_rows<Shape::tile_items, In>;

  In in;

  explicit array_source(const In& i) : in(i) {}
  template <class Shape> int head(std::int64_t n) const { return detail::count_head<Shape::tile_items>(in, n); }
  template <class Shape>
  __device__ bool has_rows(int head) const {
    return detail::has_rows_at<Shape::tile_items>(in, head);
  }

  /// One of the elements before the first tile. A whole warp calls it, and reads those below `head`.
  __device__ uninitialized_array<element, 1> before_tiles(int i, int head) const {
    uninitialized_array<element, 1> own;
    if (i < head) own[0] = in[i];
    return own;
  }
  /// One thread calls it.
  __device__ void prefetch(std::int64_t first, std::int64_t n, int count) const {
    detail::prefetch_tile(in, first, n, count);
  }
  /// Starts to copy a tile: all threads of a block, or one thread, in a round.
  template <class Shape, class Place>
  __device__ __forceinline__ void copy(std::int64_t first, std::int64_t n, Place& to) const {
    detail::copy_tile<Shape::block_size, Shape::items>(in, first, n, to.elements());
  }
  template <class Shape, class Place>
  __device__ __forceinline__ void copy_row(std::int64_t first, Place& to, ptx::copy_round* round) const {
    detail::copy_row<Shape::tile_items>(in, first, to.elements(), round);
  }
  /// A thread's elements of a tile.
  template <class Shape, class Place>
  __device__ __forceinline__ uninitialized_array<element, Shape::items> read(Place& from, int rank) const {
    return detail::read_items<Shape::items>(from.elements(), rank);
  }
};

}  // namespace gpuprim::detail
