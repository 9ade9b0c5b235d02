// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Bitonic sort over the lanes of a tile.
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/words.cuh>
#include <gpuprim/thread/thread_sort.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// A key and its place among the keys of a tile before they were sorted. A place from `absent` on has no key.
template <class Key>
struct placed {
  static constexpr unsigned short absent = 0x8000;
  Key key;
  unsigned short place;
};

/// The order of places where keys are equal makes a sort stable. Of two different items one comes before the other,
/// whatever `less` says, so that two lanes that exchange them never keep the same one. Absent ones come last, and
/// `less` does not see them.
template <class Less>
struct placed_order {
  Less less;
  bool some_are_absent;

  template <class Key>
  __device__ __forceinline__ bool operator()(const placed<Key>& a, const placed<Key>& b) const {
    const bool in_order = b.place > a.place;
    if (some_are_absent && ((a.place | b.place) & placed<Key>::absent) != 0) return in_order;
    const Key earlier = in_order ? a.key : b.key, later = in_order ? b.key : a.key;
    const bool later_is_less = less(later, earlier);  // which may be any number, if it returns no bool
    return later_is_less != in_order;
  }
};

/// 1 for a rising order of keys that are the same if they are equal, -1 for a falling one, 0 for any other.
template <class Order, class Key>
inline constexpr int direction_of = 0;
template <class Key>
inline constexpr int direction_of<less_than, Key> = is_integer<Key> ? 1 : 0;
template <class Key>
inline constexpr int direction_of<greater_than, Key> = is_integer<Key> ? -1 : 0;
template <class Own, class Compare, class T, class Key>
inline constexpr int direction_of<comparison_in_place_of<Own, Compare, T>, Key> =
    std::is_void_v<T> || std::is_same_v<T, Key> ? direction_of<Own, Key> : 0;

/// Exchanges the items of two runs of lanes, of which the first keeps the less ones: in a pair of lanes whose ranks
/// differ in `bits`, item i of one and item i, or i from behind, of the other.
enum class pairing { same, mirrored };
template <pairing Pairs, class Tile, class Item, int Items, class Order>
__device__ __forceinline__ void exchange_lanes(const Tile& tile, Item (&items)[Items], unsigned bits,
                                               const Order& order) {
  const bool is_first = (tile.thread_rank() & (bits & ~(bits >> 1))) == 0;
  uninitialized_array<Item, Items> others;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    others[i] = detail::shuffle_xor(tile, items[Pairs == pairing::mirrored ? Items - 1 - i : i], bits);
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const Item mine = items[i], other = others[i];
    items[i] = order(other, mine) == is_first ? other : mine;
  }
}

/// Merges sorted runs of `Run` lanes to runs of twice as many, and so on to one run. A power of two of items a lane are
/// one long bitonic sequence. Others are merged lane by lane: two lanes part their items into the less and the greater
/// ones, and sort them.
template <int Run, class Tile, class Item, int Items, class Order>
__device__ __forceinline__ void merge_lanes(const Tile& tile, Item (&items)[Items], const Order& order) {
  constexpr bool is_one_sequence = (Items & (Items - 1)) == 0;
  constexpr pairing pairs = is_one_sequence ? pairing::same : pairing::mirrored;
  constexpr int size = static_tile_size<Tile>;
  detail::for_strides<Item, size / Run>(size, [&](int runs) {
    const int run = Run * runs;
    detail::exchange_lanes<pairing::mirrored>(tile, items, unsigned(2 * run - 1), order);
    if constexpr (!is_one_sequence) gpuprim::thread_sort(items, order);
    detail::for_strides<Item, size>(run, [&](int parts) {
      detail::exchange_lanes<pairs>(tile, items, unsigned(run / 2 / parts), order);
      if constexpr (!is_one_sequence) gpuprim::thread_sort(items, order);
    });
    if constexpr (is_one_sequence) gpuprim::thread_bitonic_merge(items, order);
  });
}

/// Gives each item the value that was at its place. Registers have no address: a lane looks at all of another's.
template <class Tile, class Key, class Value, int Items>
__device__ __forceinline__ void move_to_places(const Tile& tile, const placed<Key> (&items)[Items], Value* values) {
  uninitialized_array<Value, Items> moved;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int place = items[i].place & (placed<Key>::absent - 1), lane = place / Items;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const Value other = detail::shuffle(tile, values[k], lane);
      if (k == 0 || place % Items == k) moved[i] = other;
    }
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) values[i] = moved[i];
}

/// Sorts the first `valid_count` keys of a tile, or merges them if each run of `Run` lanes is sorted, where Run > 0.
/// Values is empty, or the values beside the keys.
template <int Run, class Tile, class Key, int Items, class Less, class... Values>
__device__ __forceinline__ void sort_tile(const Tile& tile, Key (&keys)[Items], const Less& less, int valid_count,
                                          call_site here, Values*... values) {
  static_assert(tile_like<Tile> && static_tile_size<Tile> >= 1 && static_tile_size<Tile> <= warp_size,
                "gpuprim::warp_sort, warp_merge: the group must be a warp_tile or thread_block_tile of up to 32 lanes, "
                "a power of two");
  static_assert(element<Key> && (element<Values> && ...),
                "gpuprim::warp_sort, warp_merge: keys and values must be trivially copyable and assignable");
  static_assert(Items <= 8, "gpuprim::warp_sort, warp_merge: a lane has 1 to 8 keys");
  const auto order = detail::comparing(less);
  using order_type = std::remove_const_t<decltype(order)>;
  static_assert(is_order_on<order_type, Key>,
                "gpuprim::warp_sort, warp_merge: the order's const operator() must take two keys and say whether the "
                "first is less");
  expects(valid_count >= 0, "gpuprim::warp_sort, warp_merge: valid_count must not be negative: it is %lld", here,
          valid_count);
  constexpr int first_run = Run > 0 ? Run : 1, direction = direction_of<order_type, Key>;
  const int first = int(tile.thread_rank()) * Items;
  if constexpr (direction != 0 && sizeof...(Values) == 0) {
    constexpr Key last = direction > 0 ? bounds<Key>::highest : bounds<Key>::lowest;
#pragma unroll
    for (int i = 0; i < Items; ++i) keys[i] = is_valid(first + i, valid_count) ? keys[i] : last;
    if constexpr (Run == 0) gpuprim::thread_sort(keys, order);
    detail::merge_lanes<first_run>(tile, keys, order);
  } else {
    const placed_order<order_type> by_place{order, valid_count != all_values};
    uninitialized_array<placed<Key>, Items> items;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const int absent = is_valid(first + i, valid_count) ? 0 : placed<Key>::absent;
      items[i] = {keys[i], static_cast<unsigned short>((first + i) | absent)};
    }
    if constexpr (Run == 0) gpuprim::thread_sort(items.items, by_place);
    detail::merge_lanes<first_run>(tile, items.items, by_place);
#pragma unroll
    for (int i = 0; i < Items; ++i) keys[i] = items[i].key;
    (detail::move_to_places(tile, items.items, values), ...);
  }
}

/// One key, or an array of some, as an array.
template <class T>
__device__ __forceinline__ auto& as_array(T& keys) {
  if constexpr (std::is_array_v<T>) return keys;
  else return reinterpret_cast<T(&)[1]>(keys);
}

}  // namespace gpuprim::detail
