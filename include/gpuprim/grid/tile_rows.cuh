// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/grid/mailbox.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// What of an aggregate travels as the value of a mailbox, and what as its note. Specialized where both have something.
template <class T>
struct aggregate_mail {
  using type = T;
  static __device__ const T& value(const T& aggregate) { return aggregate; }
  static __device__ unsigned note(const T&) { return 0; }
  static __device__ T open(const mailbox<T>& got) { return got.value(); }
};

/// Joins values of the lanes of a warp in their order, those of the first `count`, which is at least 1; lane 0 gets the
/// result.
template <class T, class Op>
__device__ __forceinline__ T join_first_lanes(const T& value, const Op& op, int count) {
  const warp_tile<warp_size> warp;
  if constexpr (has_identity<Op, T>) {
    const bool counts = int(ptx::lane()) < count;
    return gpuprim::warp_reduce(warp, counts ? value : static_cast<T>(identity_element<Op, T>::value()), op);
  } else {
    return detail::warp_reduce_first<warp_size>(warp, value, op, count);
  }
}

/// The aggregates of tiles, which stand in rows. A block carries the prefix of a row, and joins the rows that it has
/// passed and the tiles of its own row itself: no sum goes from block to block, and which values are joined in what
/// order depends on the tile's number alone.
///
/// @pre Every tile is published, the first one with what stands before it. Tiles of a block ascend; a tile waits only
///      for tiles before it. Op is associative; it need not commute.
template <element T>
struct tile_rows {
  using mail = aggregate_mail<T>;
  using box = mailbox<typename mail::type>;

  box* aggregates;

  static constexpr std::int64_t bytes(std::int64_t tiles) { return tiles * std::int64_t(sizeof(box)); }
  static tile_rows lay_over(void* buffer, std::int64_t) { return {static_cast<box*>(buffer)}; }

  /// One thread calls it.
  __device__ void publish(int tile, const T& aggregate) const {
    aggregates[tile].send(mail::value(aggregate), mail::note(aggregate));
  }

  /// Clears all. A whole block calls it when nobody reads them any more.
  __device__ void clear(int tiles) const {
    const int threads = int(this_block::size());
    for (box* at = aggregates + this_block::thread_rank(); at < aggregates + tiles; at += threads) at->empty();
  }
};

/// What the warps of a block have joined: of the tiles of a row, and of the row before it.
template <class T, int Warps>
struct row_parts {
  shared_array<T, Warps> own, passed;
};

/// A block's look at the aggregates. All threads call its functions, for ascending tiles but the first of all:
///
///   rows.gather(tile, parts);  block.sync();  rows.pass(tile, parts);
///   // now `before_row` and the first `count(tile)` of `parts.own` are what lies before the tile
template <int BlockSize, class T, class Op>
struct row_reader {
  /// Half of a large block looks at one row while the other half looks at the row before.
  static constexpr bool has_halves = BlockSize >= 512;
  static constexpr int row_tiles = has_halves ? BlockSize / 2 : BlockSize, row_warps = row_tiles / warp_size;
  using join = monoid<T, Op>;
  using value = typename join::value_type;
  using parts = row_parts<T, BlockSize / warp_size>;
  using box = typename tile_rows<T>::box;

  tile_rows<T> rows;
  Op op;
  int row = 0;
  value before_row = join::empty();  ///< what all rows before have

  __device__ row_reader(const tile_rows<T>& r, const Op& o) : rows(r), op(o) {}

  /// Warps that have tiles of the row before a tile.
  __device__ static int count(int tile) { return (tile % row_tiles + warp_size - 1) / warp_size; }

  __device__ __forceinline__ void gather(int tile, parts& shared) {
#pragma unroll 1
    for (; row + 1 < tile / row_tiles; this_block::sync()) {  // the block has worked on no tile of the row in between
      gather_rows((row + 1) * row_tiles, shared);
      this_block::sync();
      pass((row + 1) * row_tiles, shared);
    }
    gather_rows(tile, shared);
  }
  /// Behind a barrier.
  __device__ __forceinline__ void pass(int tile, parts& shared) {
    if (row == tile / row_tiles) return;
    row = tile / row_tiles;
    value own = join::empty();
    if (int(ptx::lane()) < row_warps) own = shared.passed[int(ptx::lane())];
    before_row = join{op}(before_row, gpuprim::warp_all_reduce(warp_tile<warp_size>{}, own, join{op}));
  }

 private:
  /// Joins the tiles of a tile's row that are before it, and the reader's own row if that is another one. All are asked
  /// for before one is looked at.
  __device__ __forceinline__ void gather_rows(int tile, parts& shared) {
    const int rank = int(this_block::thread_rank()), own_row = tile / row_tiles, own_count = tile % row_tiles;
    const int passed_count = row < own_row ? row_tiles : 0;
    const auto at = [&](int which, int place) -> const box& {
      return rows.aggregates[std::int64_t(which) * row_tiles + place];
    };
    if constexpr (has_halves) {
      const bool is_first = rank < row_tiles;
      const int place = is_first ? rank : rank - row_tiles, count = is_first ? own_count : passed_count;
      box got[1] = {};
      box::look_at_all(
          got, [&](int) -> const box& { return at(is_first ? own_row : row, place); },
          [&](int) { return place < count; });
      join_warp(got[0], place, count, is_first ? shared.own : shared.passed);
    } else {
      box got[2] = {};
      box::look_at_all(
          got, [&](int i) -> const box& { return at(i == 0 ? own_row : row, rank); },
          [&](int i) { return rank < (i == 0 ? own_count : passed_count); });
      join_warp(got[0], rank, own_count, shared.own);
      join_warp(got[1], rank, passed_count, shared.passed);
    }
  }
  /// Joins what the lanes of a warp have got, of `count` tiles.
  __device__ __forceinline__ void join_warp(const box& got, int place, int count,
                                            shared_array<T, BlockSize / warp_size>& to) const {
    const int in_warp = count - place / warp_size * warp_size;
    if (in_warp <= 0) return;
    const T joined = detail::join_first_lanes(tile_rows<T>::mail::open(got), op, in_warp);
    if (ptx::lane() == 0) to[place / warp_size] = joined;
  }
};

}  // namespace gpuprim::detail
