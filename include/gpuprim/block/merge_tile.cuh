// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One tile of the merge of two arrays in global memory.
#include <gpuprim/block/merge_items.cuh>
#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/ptx/sm_70_address.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// What an iterator reads from number `base` on, which may lie outside of the array: what is read lies in it.
template <class It>
struct shifted_iterator {
  It it;
  std::int64_t base;
  __device__ __forceinline__ decltype(auto) operator[](std::int64_t i) const { return it[base + i]; }
};
template <class It>
__device__ __forceinline__ auto shift(const It& it, std::int64_t by) {
  if constexpr (std::is_pointer_v<It>) return ptx::move_global(it, by);
  else return shifted_iterator<It>{it, by};
}

/// Where keys lie alone. Merges read and write items.
template <class Keys>
struct key_array {
  Keys keys;

  template <class Less> __device__ static const Less& order_items(const Less& less) { return less; }
  template <class Item> __device__ __forceinline__ void read(std::int64_t i, Item& item) const { item = keys[i]; }
  template <class Item>
  __device__ __forceinline__ void write(std::int64_t i, const Item& item) const {
    keys[i] = item;
  }
  __device__ __forceinline__ auto from(std::int64_t i) const {
    const auto shifted = detail::shift(keys, i);
    return key_array<std::remove_const_t<decltype(shifted)>>{shifted};
  }
};
template <class Keys>
key_array(Keys) -> key_array<Keys>;

/// Where keys lie, and the values that go with them.
template <class Keys, class Values>
struct pair_array {
  Keys keys;
  Values values;

  template <class Less> __device__ static key_order<Less> order_items(const Less& less) { return {less}; }
  template <class Item>
  __device__ __forceinline__ void read(std::int64_t i, Item& item) const {
    item.key = keys[i];
    item.value = values[i];
  }
  template <class Item>
  __device__ __forceinline__ void write(std::int64_t i, const Item& item) const {
    keys[i] = item.key;
    values[i] = item.value;
  }
  __device__ __forceinline__ auto from(std::int64_t i) const {
    const auto shifted_keys = detail::shift(keys, i);
    const auto shifted_values = detail::shift(values, i);
    return pair_array<std::remove_const_t<decltype(shifted_keys)>, std::remove_const_t<decltype(shifted_values)>>{
        shifted_keys, shifted_values};
  }
};
template <class Keys, class Values>
pair_array(Keys, Values) -> pair_array<Keys, Values>;

template <class Array>
struct item_behind;
template <class Keys>
struct item_behind<key_array<Keys>> {
  using type = input_value<Keys>;
};
template <class Keys, class Values>
struct item_behind<pair_array<Keys, Values>> {
  using type = key_value<input_value<Keys>, input_value<Values>>;
};

/// Two arrays that are sorted.
template <class A, class B>
struct merge_inputs {
  A a;
  B b;
  std::int64_t a_count, b_count;

  using item_type = typename item_behind<A>::type;
  static_assert(std::is_same_v<item_type, typename item_behind<B>::type>);
};
template <class A, class B>
merge_inputs(A, B, std::int64_t, std::int64_t) -> merge_inputs<A, B>;

/// Reads number i of one of two arrays. Of arrays of one type the address is chosen, without a branch.
template <class A, class B, class Item>
__device__ __forceinline__ void read_either(bool of_a, const A& a, const B& b, int i, Item& item) {
  if constexpr (std::is_same_v<A, B>) (of_a ? a : b).read(i, item);
  else if (of_a) a.read(i, item);
  else b.read(i, item);
}

/// What a tile of a merge takes of both arrays.
struct tile_parts {
  std::int64_t a, b;   ///< where its parts begin
  int a_count, count;  ///< of a's part, and of both
};

/// The parts of the tile whose results are numbers `first` to `last` of the merge: the ends of a's part have been
/// found. With an order that contradicts itself they may do so too; no part leaves its array all the same.
template <class A, class B>
__device__ __forceinline__ tile_parts make_parts(const merge_inputs<A, B>& in, std::int64_t first, std::int64_t last,
                                                 std::int64_t a, std::int64_t a_end) {
  const std::int64_t count = last - first;
  const std::int64_t least = last - in.b_count > a ? last - in.b_count : a;
  const std::int64_t most = a + count > in.a_count ? in.a_count : a + count;
  a_end = a_end < least ? least : a_end > most ? most : a_end;
  return {a, first - a, int(a_end - a), int(count)};
}

/// The parts of a block's tile of a merge, where a kernel before has noted where tiles begin in the first array.
template <int TileItems, class A, class B>
__device__ __forceinline__ tile_parts find_noted_parts(const merge_inputs<A, B>& in, const std::int64_t* begins) {
  const std::int64_t n = in.a_count + in.b_count, first = std::int64_t(blockIdx.x) * TileItems;
  const std::int64_t last = n - first <= TileItems ? n : first + TileItems;
  return detail::make_parts(in, first, last, begins[blockIdx.x], last == n ? in.a_count : begins[blockIdx.x + 1]);
}

/// Finds the parts of the tile whose results are numbers `first` to `last` of the merge. A warp searches for each end,
/// because a search by a single thread would wait for memory several times as often. All threads of the block call it;
/// one barrier, and whoever calls it again has one between.
template <class A, class B, class Less>
__device__ __forceinline__ tile_parts find_parts(const merge_inputs<A, B>& in, std::int64_t first, std::int64_t last,
                                                 const Less& less) {
  using ends_type = shared_array<std::int64_t, 2>;
  GPUPRIM_SHARED(ends, ends_type);
  const this_block block;
  const warp_tile<warp_size> warp;
#pragma unroll 1
  for (int end = int(block.thread_rank()) / warp_size; end < 2; end += int(block.size()) / warp_size) {
    const std::int64_t found =
        gpuprim::warp_merge_path(warp, in.a.keys, in.a_count, in.b.keys, in.b_count, end == 0 ? first : last, less);
    if (warp.thread_rank() == 0) ends[end] = found;
  }
  this_block::sync();
  return detail::make_parts(in, first, last, ends[0], ends[1]);
}

/// Calls `go(i)` for what the calling thread has of a tile's `count` items, striped: item `i * BlockSize` and as many
/// more as its rank says.
template <int BlockSize, int Items, class Go>
__device__ __forceinline__ void for_striped(int count, const Go& go) {
  if (count == BlockSize * Items) {
#pragma unroll
    for (int i = 0; i < Items; ++i) go(i);
  } else {
    const int left = count - int(this_block::thread_rank());
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (i * BlockSize < left) go(i);
    }
  }
}

/// Reads what a tile takes of both arrays, striped: a's part and then b's.
template <int BlockSize, class A, class B, class Item, int Items>
__device__ __forceinline__ void read_parts(const merge_inputs<A, B>& in, const tile_parts& parts,
                                           Item (&items)[Items]) {
  const int rank = int(this_block::thread_rank()), left_of_a = parts.a_count - rank;
  const auto a = in.a.from(parts.a + rank);
  const auto b = in.b.from(parts.b - parts.a_count + rank);
  detail::for_striped<BlockSize, Items>(
      parts.count, [&](int i) { detail::read_either(i * BlockSize < left_of_a, a, b, i * BlockSize, items[i]); });
}

/// Where the parts of a tile begin in shared memory: numbers of elements.
struct part_places {
  int a, b;
};

/// Whether bulk copies bring the parts of a tile: each of them lies in shared memory as it does in memory within 16
/// bytes.
template <class A, class B>
inline constexpr bool may_copy_parts = false;
template <class T>
inline constexpr bool may_copy_parts<key_array<const T*>, key_array<const T*>> =
    ptx::has_bulk_copies && sizeof(T) == alignof(T) && 16 % sizeof(T) == 0;

/// Memory of parts that have so many elements together, with room for one behind them and for what lies between them.
template <class T, int Count>
struct part_stage {
  alignas(alignof(T) > 16 ? alignof(T) : 16) unsigned char bytes[(Count + 1) * sizeof(T) + 48];
};

/// The number of the element of a word of 16 bytes at which an address lies.
template <class T>
__device__ __forceinline__ int place_in_word(const T* at) {
  return int(reinterpret_cast<std::uintptr_t>(at) % 16 / sizeof(T));
}

template <class A, class B>
__device__ __forceinline__ part_places find_places(const merge_inputs<A, B>& in, const tile_parts& parts) {
  if constexpr (may_copy_parts<A, B>) {
    constexpr int word_items = 16 / int(sizeof(*in.a.keys));
    const int a = detail::place_in_word(in.a.keys + parts.a), words = (a + parts.a_count + word_items - 1) / word_items;
    return {a, words * word_items + detail::place_in_word(in.b.keys + parts.b)};
  } else {
    return {0, parts.a_count};
  }
}

/// Starts to copy elements `first` to `last` of an array to shared memory, the first of them to `to`: all words of 16
/// bytes in which they lie at once, but for words that the array has only a part of, whose elements are copied one by
/// one. A warp calls it, and its first lane ends the round.
template <class T>
__device__ __forceinline__ void copy_part(const T* array, std::int64_t n, std::int64_t first, std::int64_t last, T* to,
                                          int lane, ptx::copy_round* round) {
  constexpr int word_items = 16 / int(sizeof(T));
  const std::int64_t least = (word_items - detail::place_in_word(array)) % word_items;
  const std::int64_t most = n - detail::place_in_word(array + n), word = first - detail::place_in_word(array + first);
  const std::int64_t words_end = last + (word_items - detail::place_in_word(array + last)) % word_items;
  const bool has_words = last > least;
  const std::int64_t begin = word > least ? word : has_words ? least : last;
  const std::int64_t end = !has_words ? begin : words_end < most ? words_end : most;
  if (lane == 0 && end > begin) {
    ptx::copy_bulk(to + (begin - first), array + begin, unsigned(end - begin) * unsigned(sizeof(T)), round);
  }
  if (begin > first + lane) detail::copy_one(array, first + lane, to + lane);
  if (last > end + lane) detail::copy_one(array, end + lane, to + (end + lane - first));
}

/// Brings the parts of a tile to shared memory, or starts to. All threads call it, behind a barrier since the memory
/// was used. The tile is there after `ptx::wait_for_groups`, a barrier, and then the wait for the round.
template <int BlockSize, int Items, class A, class B, class Tile>
__device__ __forceinline__ void load_parts(const merge_inputs<A, B>& in, const tile_parts& parts, const Tile& tile,
                                           ptx::copy_round* round) {
  using item_type = typename merge_inputs<A, B>::item_type;
  const int rank = int(this_block::thread_rank());
  if constexpr (may_copy_parts<A, B>) {
    static_assert(Tile::swapped == 1, "the elements of a part lie side by side");
    if (rank < warp_size) {
      const part_places places = detail::find_places(in, parts);
      auto* const to = reinterpret_cast<item_type*>(tile.memory);
      if (rank == 0) ptx::order_before_bulk_copies();
      detail::copy_part(in.a.keys, in.a_count, parts.a, parts.a + parts.a_count, to + places.a, rank, round);
      detail::copy_part(in.b.keys, in.b_count, parts.b, parts.b + parts.count - parts.a_count, to + places.b, rank,
                        round);
      if (rank == 0) ptx::end_copy_round(round);
    }
    ptx::end_copy_group();
  } else {
    uninitialized_array<item_type, Items> items;
    detail::read_parts<BlockSize>(in, parts, items.items);
    detail::for_striped<BlockSize, Items>(parts.count,
                                          [&](int i) { tile.store_at(unsigned(i * BlockSize + rank), items[i]); });
  }
}

/// As load_parts, and waits for the tile, in a round of which `parity` says how often it has ended; a barrier.
template <int BlockSize, int Items, class A, class B, class Tile>
__device__ __forceinline__ part_places bring_parts(const merge_inputs<A, B>& in, const tile_parts& parts,
                                                   const Tile& tile, ptx::copy_round* round, unsigned parity) {
  detail::load_parts<BlockSize, Items>(in, parts, tile, round);
  ptx::wait_for_groups<0>();
  this_block::sync();
  if constexpr (may_copy_parts<A, B>) ptx::wait_for_copy_round(round, parity);
  return detail::find_places(in, parts);
}

/// Merges the parts of a tile to the beginning of `out`. All threads of the block call it, and once: it has no barrier
/// at its end. The next grid may start when the tile is read: its blocks would keep those of this grid waiting.
template <int BlockSize, int Items, class A, class B, class Out, class Less>
__device__ __forceinline__ void merge_tile(const merge_inputs<A, B>& in, const tile_parts& parts, const Out& out,
                                           const Less& less) {
  using item_type = typename merge_inputs<A, B>::item_type;
  const int count = parts.count, rank = int(this_block::thread_rank());
  using tile_type = block_tile<BlockSize, item_type, Items>;
  const tile_type tile{exchange_memory<meeting::of_block, int(tile_type::bytes + sizeof(item_type))>()};
  uninitialized_array<item_type, Items> items;
  detail::read_parts<BlockSize>(in, parts, items.items);
  tile.store_striped(unsigned(rank), items.items);
  ptx::let_next_grid_start();
  this_block::sync();
  detail::merge_long_runs(tile, {0, parts.a_count, parts.a_count, count}, rank * Items, A::order_items(less),
                          items.items);
  this_block::sync();
  tile.store_blocked(unsigned(rank), items.items);
  this_block::sync();
  tile.load_striped(unsigned(rank), items.items);
  const auto to = out.from(rank);
  detail::for_striped<BlockSize, Items>(count, [&](int i) { to.write(i * BlockSize, items[i]); });
}

}  // namespace gpuprim::detail
