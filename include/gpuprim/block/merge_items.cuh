// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merges of runs in shared memory, of which each thread makes a part.
#include <gpuprim/block/block_exchange.cuh>
#include <gpuprim/block/merge_path.cuh>

namespace gpuprim::inline v0_1_0::detail {

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

/// Merges two runs to `Items` elements, which lie between cursors, pointers or numbers; `load` reads one. In each step
/// one element is taken, and the next of its run is read. Behind the ends of both runs the elements are unspecified.
template <int Items, class Item, class Cursor, class Load, class Less>
__device__ __forceinline__ void merge_in_turn(Cursor a, Cursor a_end, Cursor b, Cursor b_end, const Load& load,
                                              const Less& less, Item* merged) {
  uninitialized_array<Item, 2> next;
  if (a < a_end) next[0] = load(a);
  if (b < b_end) next[1] = load(b);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const bool takes_b = !(a < a_end) || (b < b_end && less(next[1], next[0]));
    merged[i] = takes_b ? next[1] : next[0];
    if (i == Items - 1) break;
    const Cursor at = (takes_b ? b : a) + 1;
    if (at < (takes_b ? b_end : a_end)) {
      const Item item = load(at);
      if (takes_b) next[1] = item;
      else next[0] = item;
    }
    if (takes_b) b = at;
    else a = at;
  }
}

/// The calling thread's elements of the merge of two neighbouring runs of a tile, from number `diagonal` on.
template <class Tile, class Item, int Items, class Less>
__device__ __forceinline__ void merge_runs(const Tile& tile, int first, int middle, int end, int diagonal,
                                           const Less& less, Item (&merged)[Items]) {
  using range = tile_range<Item, Tile>;
  if (diagonal > end - first) diagonal = end - first;
  const int of_a = gpuprim::merge_path(range{tile, first}, middle - first, range{tile, middle}, end - middle, diagonal,
                                       less);
  const int a = first + of_a, b = middle + (diagonal - of_a);
  detail::merge_in_turn<Items>(a, middle, b, end, [&](int at) { return range{tile, 0}[at]; }, less, &merged[0]);
}

/// What goes with a key while a block sorts: the value, or the value's place if that makes shorter items.
template <class Key, class Value>
inline constexpr bool moves_places = sizeof(key_value<Key, unsigned short>) < sizeof(key_value<Key, Value>);

/// Calls `go(items, order)` for pairs of a key and what goes with it, which it sorts or merges, and takes them apart.
template <int BlockSize, class Block, class Key, class Value, int Items, class Order, class Go>
__device__ __forceinline__ void with_pairs(const Block& block, Key (&keys)[Items], Value (&values)[Items],
                                           const Order& order, int valid_count, call_site here, const Go& go) {
  detail::expects_exchange<BlockSize, Value, Items>(block, here);
  const unsigned rank = unsigned(block.thread_rank());
  const int first = int(rank) * Items;
  using beside = std::conditional_t<moves_places<Key, Value>, unsigned short, Value>;
  uninitialized_array<key_value<Key, beside>, Items> items;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if constexpr (moves_places<Key, Value>) items[i] = {keys[i], static_cast<unsigned short>(first + i)};
    else items[i] = {keys[i], values[i]};
  }
  go(items.items, key_order<Order>{order});
#pragma unroll
  for (int i = 0; i < Items; ++i) keys[i] = items[i].key;
  if constexpr (moves_places<Key, Value>) {
    const auto tile = detail::make_block_tile<BlockSize, Value, Items>();
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

}  // namespace gpuprim::detail
