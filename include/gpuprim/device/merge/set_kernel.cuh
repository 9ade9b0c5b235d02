// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/common/merge_shape.cuh>
#include <gpuprim/grid/tile_counts.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/policy/merge_policy.hpp>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Of equal elements, m of a and k of b, the union has a's and the last of b's until they are max(m, k), the
/// intersection the first min(m, k) of a's, and the difference the others of a's.
enum class set_operation { make_union, make_intersection, make_difference };

/// Where a tile's part of the first array begins and ends. The first kernel finds that, and the second one makes the
/// tiles.
struct noted_parts {
  struct entry {
    std::int64_t begin, end;
  };
  entry* entries;

  static constexpr std::int64_t bytes(std::int64_t tiles) { return tiles * std::int64_t(sizeof(entry)); }
  static noted_parts lay_over(void* buffer, std::int64_t) { return {static_cast<entry*>(buffer)}; }
  /// Takes out what the search has noted of a tile.
  __device__ entry take(int tile) const {
    const entry noted = entries[tile];
    entries[tile] = entry{};
    return noted;
  }
  __device__ void clear(int) const {}  ///< all is taken out
};

using set_look_back = tile_look_back<noted_parts, tile_counts>;

/// The tiles of a set operation. Shared memory holds the element before each of a tile's parts too.
template <merge_policy Policy, class Item>
struct set_shape : merge_shape<Policy, Item> {
  static constexpr int tile_items = merge_shape<Policy, Item>::tile_items - 2;
  static constexpr std::int64_t count_tiles(std::int64_t n) { return (n + tile_items - 1) / tile_items; }
};

/// A set operation pairs the elements of two arrays that are equal: the first ones of both, the second ones, and so on.
/// A union keeps the first array and what is single in the second one. The others keep of the second one, which is a
/// then, what is paired or what is single.
template <class Shape, set_operation Operation, class In, class Out, class CountOut, class Less>
struct set_pass {
  using shape = Shape;
  static constexpr bool keeps_first = Operation == set_operation::make_union;
  static constexpr bool keeps_paired = Operation == set_operation::make_intersection;
  In in;
  Out out;
  CountOut count_out;
  Less less;
  std::int64_t n;
  int tiles;
  set_look_back all;

  __device__ static unsigned find_first(unsigned) { return 0; }
  __device__ const In& find_runs(unsigned) const { return in; }
  __device__ void note_begin(unsigned tile, std::int64_t begin) const {
    noted_parts::entry* const entries = gpuprim::get<0>(all.states).entries;
    entries[tile].begin = begin;
    if (tile > 0) entries[tile - 1].end = begin;
    if (tile + 1 == unsigned(tiles)) entries[tile].end = in.a_count;
  }
  __device__ tile_parts find_parts(int tile, const noted_parts::entry& at) const {
    const std::int64_t first = std::int64_t(tile) * Shape::tile_items, left = n - first;
    const std::int64_t last = first + (left < Shape::tile_items ? left : Shape::tile_items);
    return detail::make_parts(in, first, last, at.begin, at.end);
  }
};

/// The parts of a tile, and the elements before each.
__device__ __forceinline__ tile_parts with_elements_before(const tile_parts& parts) {
  const int before_a = parts.a > 0, before_b = parts.b > 0;
  return {parts.a - before_a, parts.b - before_b, parts.a_count + before_a, parts.count + before_a + before_b};
}

/// How many elements of a sorted array are equal to number `last` and not behind it.
template <class Read, class Less>
__device__ __forceinline__ std::int64_t count_run(std::int64_t last, const Read& read, const Less& less) {
  const auto x = read(last);
  if (last == 0 || less(read(last - 1), x)) return 1;
  std::int64_t low = 0, high = last - 1, step = 1;
  for (; high >= step && !less(read(high - step), x); step *= 2) high -= step;  // most runs are short
  if (high >= step) low = high - step + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (less(read(middle), x)) low = middle + 1;
    else high = middle;
  }
  return last - low + 1;
}

/// A tile of both arrays in shared memory, and the element before each of its parts.
template <class In, class Tile>
struct set_tile {
  using item_type = typename In::item_type;
  const In& in;
  const tile_parts &parts, loaded;
  const part_places places;
  Tile tile;

  __device__ set_tile(const In& both, const tile_parts& p, const Tile& t)
      : in(both),
        parts(p),
        loaded(detail::with_elements_before(p)),
        places(detail::find_places(both, loaded)),
        tile(t) {}
  __device__ __forceinline__ item_type at(int place) const { return tile_range<item_type, Tile>{tile, 0}[place]; }
  __device__ __forceinline__ int first_a() const { return places.a + int(parts.a - loaded.a); }
  __device__ __forceinline__ int first_b() const { return places.b + int(parts.b - loaded.b); }
  __device__ __forceinline__ item_type read_a(std::int64_t i) const {
    return i >= loaded.a ? at(places.a + int(i - loaded.a)) : static_cast<item_type>(in.a.keys[i]);
  }
  __device__ __forceinline__ item_type read_b(std::int64_t i) const {
    return i >= loaded.b ? at(places.b + int(i - loaded.b)) : static_cast<item_type>(in.b.keys[i]);
  }
  /// How many elements of the first array are equal to `x` and not yet paired, where `a` and `b` of the parts lie
  /// before, of which `x` is the last.
  template <class Less>
  __device__ __forceinline__ int count_single(int a, int b, const item_type& x, const Less& less) const {
    const std::int64_t last_a = parts.a + a - 1, last_b = parts.b + b - 1;
    if (last_a < 0 || less(read_a(last_a), x)) return 0;
    std::int64_t single = detail::count_run(last_a, [&](std::int64_t i) { return read_a(i); }, less);
    if (last_b >= 0 && !less(read_b(last_b), x)) {
      single -= detail::count_run(last_b, [&](std::int64_t i) { return read_b(i); }, less);
    }
    constexpr std::int64_t most = 1 << 16;  // more than a thread has
    return int(single < 0 ? 0 : single < most ? single : most);
  }
};

/// Merges a thread's part of a tile. Returns a bit for each of its elements: whether it is kept.
template <class Pass, int Items, class Tile>
__device__ __forceinline__ unsigned merge_sets(const Pass& pass, const Tile& both, int diagonal,
                                               typename Tile::item_type (&merged)[Items]) {
  using item_type = typename Tile::item_type;
  using range = tile_range<item_type, decltype(both.tile)>;
  const auto& less = pass.less;
  const int a_count = both.parts.a_count, b_count = both.parts.count - a_count;
  if (diagonal >= both.parts.count) return 0;
  const int first_a = both.first_a(), first_b = both.first_b();
  int a = gpuprim::merge_path(range{both.tile, first_a}, a_count, range{both.tile, first_b}, b_count, diagonal, less);
  int b = diagonal - a;
  item_type of_a = both.at(first_a + a), of_b = both.at(first_b + b);
  const bool begins_with_b = b < b_count && (a == a_count || less(of_b, of_a));
  item_type last = begins_with_b ? of_b : of_a;
  int single = 0;  // elements of the first array that are equal to `last` and not yet paired
  if (b < b_count && a + b + both.parts.a + both.parts.b > 0) {
    const bool has_a = a + both.parts.a > 0, has_b = b + both.parts.b > 0;
    item_type before = both.at(has_b ? first_b + b - 1 : first_a + a - 1);
    if (has_a && has_b) {
      const item_type before_a = both.at(first_a + a - 1);
      if (less(before, before_a)) before = before_a;
    }
    if (!less(before, of_b)) {
      single = both.count_single(a, b, before, less);
      last = before;
    }
  }
  const int a_end = first_a + a_count, b_end = first_b + b_count, left = both.parts.count - diagonal;
  a += first_a;
  b += first_b;
  unsigned kept = 0;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const bool takes_b = b < b_end && (a >= a_end || less(of_b, of_a));
    merged[i] = takes_b ? of_b : of_a;
    if (less(last, merged[i])) single = 0;
    last = merged[i];
    const bool is_paired = single > 0;
    const bool is_kept = takes_b ? is_paired == Pass::keeps_paired : Pass::keeps_first;
    single += takes_b ? -int(is_paired) : 1;
    kept |= unsigned(is_kept) << i;
    if (i == Items - 1) break;
    if (takes_b) of_b = both.at(++b);
    else of_a = both.at(++a);
  }
  return left < Items ? kept & ((1u << left) - 1) : kept;
}

/// What a block has in shared memory, which is dynamic: the static memory of a kernel that is compiled for debugging
/// counts that of others too.
template <class Shape, class Item>
struct set_shared {
  part_stage<Item, Shape::tile_items + 4> stage;  ///< the tile that is merged; elements behind it are read and not used
  alignas(alignof(Item) > 16 ? alignof(Item) : 16) unsigned char kept[Shape::tile_items * sizeof(Item)];
  std::uint64_t before[Shape::block_size / warp_size];
  noted_parts::entry entry;  ///< of the next tile
  int drawn;                 ///< its number
  ptx::copy_round round;
};

/// Each block takes tiles of the merge of both arrays, one after the other, by tickets. It publishes how many elements
/// it keeps of one before it waits for what lies before the last one, whose elements are in shared memory until then:
/// so blocks hardly wait for each other.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) set_kernel(Pass pass) {
  using shape = typename Pass::shape;
  using in_type = decltype(pass.in);
  using item_type = typename in_type::item_type;
  constexpr int size = shape::block_size, items = shape::items;
  constexpr bool in_rounds = may_copy_parts<decltype(pass.in.a), decltype(pass.in.b)>;
  static_assert(items < 32);
  using tile_type = exchange_tile<item_type, size, 1>;
  using shared_type = set_shared<shape, item_type>;
  static_assert(sizeof(shared_type) <= most_static_shared_bytes,
                "gpuprim::set_union, set_intersection, set_difference: the elements are too long");
  auto& shared = *dynamic_shared<shared_type>();
  ptx::begin_kernel();
  const this_block block;
  const int rank = int(block.thread_rank());
  const noted_parts noted = gpuprim::get<0>(pass.all.states);
  tile_counts::reader<size> known{gpuprim::get<1>(pass.all.states).counts};
  const tile_type tile{shared.stage.bytes}, kept_tile{shared.kept};
  if (pass.tiles == 0 && blockIdx.x == 0 && rank == 0) *pass.count_out = std::int64_t{0};
  const auto load = [&](const tile_parts& parts) {
    detail::load_parts<size, items>(pass.in, detail::with_elements_before(parts), tile, &shared.round);
  };
  if (rank == 0) {
    if (in_rounds) ptx::begin_copy_rounds(&shared.round);
    shared.drawn = pass.all.order.take();
    if (pass.tiles > shared.drawn) shared.entry = noted.take(shared.drawn);
  }
  block.sync();
  int number = shared.drawn, last = -1, last_count = 0;  // the tile that is merged, and the one that is written
  tile_parts parts{};
  if (pass.tiles > number) {
    parts = pass.find_parts(number, shared.entry);
    load(parts);
  }
#pragma unroll 1
  for (unsigned parity = 0; pass.tiles > number || last >= 0; parity ^= 1) {
    const bool is_tile = pass.tiles > number;
    int coming = pass.tiles;  // of rank 0, as its entry is
    noted_parts::entry coming_slot{};
    if (rank == 0 && is_tile) {
      coming = pass.all.order.take();
      if (pass.tiles > coming) coming_slot = noted.take(coming);
    }
    const auto asked = known.ask(last >= 0 ? last : known.tile);
    uninitialized_array<item_type, items> merged;
    unsigned kept = 0;
    if (is_tile) {
      ptx::wait_for_groups<0>();
      block.sync();
      if (in_rounds) ptx::wait_for_copy_round(&shared.round, parity);
      const set_tile<in_type, tile_type> both(pass.in, parts, tile);
      kept = detail::merge_sets(pass, both, rank * items, merged.items);
    }
    int count = 0, place = gpuprim::block_exclusive_scan<size>(block, __popc(kept), plus<int>{}, 0, count);
    if (rank == 0) {
      if (is_tile) gpuprim::get<1>(pass.all.states).publish(number, unsigned(count));
      shared.drawn = coming;
      shared.entry = coming_slot;
    }
    if (last >= 0) known.gather(asked, last, shared.before);
    block.sync();
    const int next = shared.drawn;
    tile_parts next_parts{};
    if (pass.tiles > next) {
      next_parts = pass.find_parts(next, shared.entry);
      load(next_parts);
    }
    if (last >= 0) {
      known.pass(last, shared.before);
      if (last == pass.tiles - 1 && rank == 0) *pass.count_out = known.before + last_count;
      for (int i = rank; i < last_count; i += size) {
        detail::assign(pass.out[known.before + i], tile_range<item_type, tile_type>{kept_tile, 0}[i]);
      }
    }
    block.sync();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (kept >> i & 1) kept_tile.store_at(unsigned(place++), merged[i]);
    }
    last = is_tile ? number : -1;
    last_count = count;
    number = next;
    parts = next_parts;
  }
  pass.all.leave();
}

}  // namespace gpuprim::detail
