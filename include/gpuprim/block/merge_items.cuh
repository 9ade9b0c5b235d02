// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merges of runs in shared memory, of which each thread makes a part.
#include <gpuprim/block/block_exchange.cuh>
#include <gpuprim/block/merge_path.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// A key and a value that goes with it: pairs are sorted and merged as any elements are.
template <class Key, class Value>
struct key_value {
  Key key;
  Value value;
};

template <class Less>
struct key_order {
  Less less;
  template <class Key, class Value>
  __device__ __forceinline__ bool operator()(const key_value<Key, Value>& a, const key_value<Key, Value>& b) const {
    return less(a.key, b.key);
  }
};

/// Elements of a tile in shared memory from number `first` on.
template <class Item, class Tile>
struct tile_range {
  Tile tile;
  int first;

  __device__ __forceinline__ Item operator[](int i) const {
    uninitialized_array<Item, 1> item;
    tile.load_at(unsigned(first + i), item[0]);
    return item[0];
  }
};

/// Takes no note of which elements are merged.
struct no_note {
  __device__ void operator()(int, int) const {}
};

/// Merges two runs of a tile, from numbers a and b on, which are not both at their ends: the first run ends at
/// `middle`, the second one at `end`. In each step one element is taken, and the next of its run is read, or what
/// `read` finds where there is none, because a branch would take longer. `note(i, at)` is called with the number of
/// each element that is taken. Behind the ends of both runs the elements are unspecified.
template <class Read, class Item, int Items, class Less, class Note>
__device__ __forceinline__ void merge_in_turn(const Read& read, int a, int middle, int b, int end, const Less& less,
                                              Item (&merged)[Items], const Note& note) {
  Item of_a = read(a), of_b = read(b);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const bool takes_b = b < end && (a >= middle || less(of_b, of_a));
    merged[i] = takes_b ? of_b : of_a;
    note(i, takes_b ? b : a);
    if (i == Items - 1) break;
    if (takes_b) of_b = read(++b);
    else of_a = read(++a);
  }
}

/// As merge_in_turn, where neither run ends within `Items` elements: then one read from a chosen place is the fastest.
template <class Range, class Item, int Items, class Less, class Note>
__device__ __forceinline__ void merge_within(const Range& tile, int a, int b, const Less& less, Item (&merged)[Items],
                                             const Note& note) {
  Item of_a = tile[a], of_b = tile[b];
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const bool takes_b = less(of_b, of_a);
    const int taken = takes_b ? b : a, at = taken + 1;
    merged[i] = takes_b ? of_b : of_a;
    note(i, taken);
    if (i == Items - 1) break;
    const Item next = tile[at];
    of_a = takes_b ? of_a : next;
    of_b = takes_b ? next : of_b;
    a = takes_b ? a : at;
    b = takes_b ? at : b;
  }
}

/// The calling thread's elements of the merge of two neighbouring runs of a tile, from number `diagonal` on.
template <class Tile, class Item, int Items, class Less>
__device__ __forceinline__ void merge_runs(const Tile& tile, int first, int middle, int end, int diagonal,
                                           const Less& less, Item (&merged)[Items]) {
  if (diagonal >= end - first) return;
  using range = tile_range<Item, Tile>;
  const int of_a =
      gpuprim::merge_path(range{tile, first}, middle - first, range{tile, middle}, end - middle, diagonal, less);
  const int a = first + of_a, b = middle + (diagonal - of_a), last = end - 1;
  const auto read = [&](int at) { return range{tile, 0}[at < last ? at : last]; };
  detail::merge_in_turn(read, a, middle, b, end, less, merged, no_note{});
}

/// Two runs of a tile in shared memory: the numbers where each begins and ends.
struct tile_runs {
  int a, a_end, b, b_end;
};

/// As merge_runs, with runs that make up a tile, so that few threads come to the end of one. The tile has room for an
/// element behind each run, which is read.
template <class Tile, class Item, int Items, class Less, class Note = no_note>
__device__ __forceinline__ void merge_long_runs(const Tile& tile, const tile_runs& runs, int diagonal, const Less& less,
                                                Item (&merged)[Items], const Note& note = {}) {
  const int a_count = runs.a_end - runs.a, b_count = runs.b_end - runs.b;
  if (diagonal >= a_count + b_count) return;
  using range = tile_range<Item, Tile>;
  const range all{tile, 0};
  const int of_a = gpuprim::merge_path(range{tile, runs.a}, a_count, range{tile, runs.b}, b_count, diagonal, less);
  const int a = runs.a + of_a, b = runs.b + (diagonal - of_a);
  if (runs.a_end - a >= Items && runs.b_end - b >= Items) detail::merge_within(all, a, b, less, merged, note);
  else detail::merge_in_turn([&](int at) { return all[at]; }, a, runs.a_end, b, runs.b_end, less, merged, note);
}

/// What goes with a key while a block sorts: the value, or the value's place if that makes shorter items.
template <class Key, class Value>
inline constexpr bool moves_places = sizeof(key_value<Key, unsigned short>) < sizeof(key_value<Key, Value>);
template <class Key, class Value>
using beside_key = std::conditional_t<moves_places<Key, Value>, unsigned short, Value>;
template <class Key, class Value>
using sorted_pair = key_value<Key, beside_key<Key, Value>>;

/// Calls `go(items, order)` for pairs of a key and what goes with it, which it sorts or merges, and takes them apart.
template <int BlockSize, class Block, class Key, class Value, int Items, class Order, class Go>
__device__ __forceinline__ void with_pairs(const Block& block, Key (&keys)[Items], Value (&values)[Items],
                                           const Order& order, int valid_count, call_site here, const Go& go) {
  detail::expects_exchange<BlockSize, Value, Items>(block, here);
  const unsigned rank = unsigned(block.thread_rank());
  const int first = int(rank) * Items;
  static_assert(!moves_places<Key, Value> || BlockSize * Items <= 65536,
                "gpuprim::block_sort, block_merge: a block has at most 65536 values beside keys");
  uninitialized_array<sorted_pair<Key, Value>, Items> items;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if constexpr (moves_places<Key, Value>) items[i] = {keys[i], static_cast<unsigned short>(first + i)};
    else items[i] = {keys[i], values[i]};
  }
  go(items.items, key_order<Order>{order});
#pragma unroll
  for (int i = 0; i < Items; ++i) keys[i] = items[i].key;
  if constexpr (moves_places<Key, Value>) {
    const auto tile = detail::make_block_tile<BlockSize, Value, Items>(block);
    tile.store_blocked(rank, values);
    block.sync();
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (detail::is_valid(first + i, valid_count)) tile.load_at(items[i].value, values[i]);
    }
    block.sync();
  } else {
#pragma unroll
    for (int i = 0; i < Items; ++i) values[i] = items[i].value;
  }
}

}  // namespace detail

/// The bytes of a block_with_memory that block_sort and block_merge of `Items` keys a thread need: of keys alone, or of
/// keys and the values beside them.
template <int BlockSize, int Items, class Key, class... Value>
inline constexpr int block_sort_bytes =
    sizeof...(Value) == 0 ? block_exchange_bytes<BlockSize, Items, Key>
                          : block_exchange_bytes<BlockSize, Items, detail::sorted_pair<Key, Value>..., Value...>;

}  // namespace gpuprim
