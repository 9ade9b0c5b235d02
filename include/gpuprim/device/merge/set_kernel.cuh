// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/block/tile_places.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/grid/tile_counts.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Of equal elements, m of a and k of b, the union has a's and the last of b's until they are max(m, k), the
/// intersection the first min(m, k) of a's, and the difference the others of a's.
enum class set_operation { make_union, make_intersection, make_difference };

template <class Shape, set_operation Operation, class In, class Out, class CountOut, class Less>
struct set_pass {
  using shape = Shape;
  static constexpr set_operation operation = Operation;
  In in;
  Out out;
  CountOut count_out;
  Less less;
  int tiles;
};

/// What the blocks of a set operation share.
struct set_look_back {
  tile_order order;
  tile_counts counts;

  static constexpr std::int64_t bytes(std::int64_t tiles) { return tile_order::bytes + tile_counts::bytes(tiles); }
  static set_look_back lay_over(void* buffer) {
    return {tile_order::lay_over(buffer), tile_counts::lay_over(static_cast<char*>(buffer) + tile_order::bytes)};
  }
};

/// A tile of both arrays in shared memory. It reads elements of the one or the other by their numbers in all of the
/// array, from there if the tile has them.
template <class In, class Tile>
struct set_tile {
  using item_type = typename In::item_type;
  const In& in;
  const tile_parts& parts;
  Tile tile;

  __device__ __forceinline__ item_type at(int place) const { return tile_range<item_type, Tile>{tile, 0}[place]; }
  __device__ item_type read_a(std::int64_t i) const {
    const std::int64_t place = i - parts.a;
    return place >= 0 && place < parts.a_count ? at(int(place)) : static_cast<item_type>(in.a.keys[i]);
  }
  __device__ item_type read_b(std::int64_t i) const {
    const std::int64_t place = i - parts.b;
    return place >= 0 && place < parts.count - parts.a_count ? at(parts.a_count + int(place))
                                                             : static_cast<item_type>(in.b.keys[i]);
  }
};

/// The number of the first element of a sorted array that is equal to number `last`.
template <class Read, class Less>
__device__ __forceinline__ std::int64_t find_run(std::int64_t last, const Read& read, const Less& less) {
  const auto x = read(last);
  if (last == 0 || less(read(last - 1), x)) return last;
  std::int64_t low = 0, high = last - 1, step = 1;
  for (; high >= step && !less(read(high - step), x); step *= 2) high -= step;  // most runs are short
  if (high >= step) low = high - step + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (less(read(middle), x)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// A thread's part of the merge of a tile: a bit for each of its elements in their order.
struct set_marks {
  int a, b;                    ///< the places of its first elements
  unsigned of_b = 0, kept = 0;
};

/// Says of each of a thread's elements of a merge whether it is kept. An element has a rank among those of its array
/// that are equal to it. There is a partner of the same rank in the other array, or there is none.
template <set_operation Operation, int Items, class Tile, class Less>
__device__ __forceinline__ set_marks mark_kept(const Tile& both, int diagonal, const Less& less) {
  constexpr bool ranks_b = Operation == set_operation::make_union;
  const tile_parts& parts = both.parts;
  const int count = parts.count;
  if (diagonal > count) diagonal = count;
  using range = tile_range<typename Tile::item_type, decltype(both.tile)>;
  const int of_a = gpuprim::merge_path(range{both.tile, 0}, parts.a_count, range{both.tile, parts.a_count},
                                       count - parts.a_count, diagonal, less);
  set_marks marks{of_a, parts.a_count + (diagonal - of_a)};
  int a = marks.a, b = marks.b;
  const auto read_ranked = [&](std::int64_t i) { return ranks_b ? both.read_b(i) : both.read_a(i); };
  const int first = ranks_b ? b : a;
  const bool has_ranked = ranks_b ? b < count : a < parts.a_count;
  std::int64_t run = 0;  // the number of the first element that is equal to the present one
  if (has_ranked) run = detail::find_run(ranks_b ? parts.b + (b - parts.a_count) : parts.a + a, read_ranked, less);
#pragma unroll 1
  for (int i = 0; i < Items && count > a + b - parts.a_count; ++i) {
    const bool takes_b = a == parts.a_count || (b < count && less(both.at(b), both.at(a)));
    bool is_kept = Operation == set_operation::make_union;
    if (takes_b == ranks_b) {
      const int place = takes_b ? b : a;
      const auto x = both.at(place);
      const std::int64_t at = ranks_b ? parts.b + (b - parts.a_count) : parts.a + a;
      if (place != first && less(both.at(place - 1), x)) run = at;
      // All equal elements of a come before those of b: those of b begin here, or those of a end.
      const std::int64_t rank = at - run;
      bool has_partner;
      if constexpr (ranks_b) {
        const std::int64_t partner = parts.a + a - 1 - rank;
        has_partner = partner >= 0 && !less(both.read_a(partner), x);
      } else {
        const std::int64_t partner = parts.b + (b - parts.a_count) + rank;
        has_partner = partner < both.in.b_count && !less(x, both.read_b(partner));
      }
      is_kept = has_partner == (Operation == set_operation::make_intersection);
    }
    marks.of_b |= unsigned(takes_b) << i;
    marks.kept |= unsigned(is_kept) << i;
    if (takes_b) ++b;
    else ++a;
  }
  return marks;
}

/// What a block has in shared memory besides a tile.
template <class Shape>
struct set_shared {
  std::uint64_t before[Shape::block_size / warp_size];
  int drawn;                                ///< a ticket
  std::uint16_t places[Shape::tile_items];  ///< in the tile, of the elements that are kept
};

/// Each block takes tiles of the merge of both arrays, one after the other, by tickets.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks)
    set_kernel(Pass pass, set_look_back shared_tiles) {
  using shape = typename Pass::shape;
  using in_type = decltype(pass.in);
  using item_type = typename in_type::item_type;
  constexpr int size = shape::block_size, items = shape::items;
  static_assert(items < 32);
  using reader = tile_counts::reader<size>;
  GPUPRIM_SHARED(shared, set_shared<shape>);
  ptx::begin_kernel();
  const this_block block;
  const int rank = int(block.thread_rank());
  const std::int64_t n = pass.in.a_count + pass.in.b_count;
  const auto tile = detail::make_block_tile<size, item_type, items>();
  reader known{shared_tiles.counts};
  if (pass.tiles == 0 && blockIdx.x == 0 && rank == 0) *pass.count_out = std::int64_t{0};
  for (;;) {
    if (rank == 0) shared.drawn = shared_tiles.order.take();
    block.sync();
    const int number = shared.drawn;
    if (number >= pass.tiles) break;
    const std::int64_t first = std::int64_t(number) * shape::tile_items;
    const std::int64_t end = n - first < shape::tile_items ? n : first + shape::tile_items;
    const tile_parts parts = detail::find_parts(pass.in, first, end, pass.less);
    uninitialized_array<item_type, items> values;
    detail::read_parts<size>(pass.in, parts, values.items);
    tile.store_striped(unsigned(rank), values.items);
    block.sync();
    const set_tile<in_type, std::remove_const_t<decltype(tile)>> both{pass.in, parts, tile};
    set_marks marks = detail::mark_kept<Pass::operation, items>(both, rank * items, pass.less);
    int total = 0, place = gpuprim::block_exclusive_scan<size>(block, __popc(marks.kept), plus<int>{}, 0, total);
    if (rank == 0) shared_tiles.counts.publish(number, unsigned(total));
    const auto asked = known.ask(number);
#pragma unroll 1
    for (int i = 0; marks.kept >> i != 0; ++i) {
      const int at = marks.of_b >> i & 1 ? marks.b++ : marks.a++;
      if (marks.kept >> i & 1) shared.places[place++] = std::uint16_t(at);
    }
    known.advance(asked, number, shared.before);
    for (int i = rank; i < total; i += size) detail::assign(pass.out[known.before + i], both.at(shared.places[i]));
    if (number == pass.tiles - 1 && rank == 0) *pass.count_out = known.before + total;
  }
  shared_tiles.order.leave([&] { shared_tiles.counts.clear(pass.tiles); });
}

}  // namespace gpuprim::detail
