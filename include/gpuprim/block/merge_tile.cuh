// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One tile of the merge of two arrays in global memory.
#include <gpuprim/block/merge_items.cuh>
#include <gpuprim/core/iterators.hpp>

#include <cstdint>

namespace gpuprim::inline v0_1_0::detail {

/// What an iterator reads from number `base` on.
template <class It>
struct shifted_iterator {
  It it;
  std::int64_t base;
  __device__ __forceinline__ decltype(auto) operator[](std::int64_t i) const { return it[base + i]; }
};
template <class It>
__device__ __forceinline__ auto shift(const It& it, std::int64_t by) {
  if constexpr (std::is_pointer_v<It>) return it + by;
  else return shifted_iterator<It>{it, by};
}

/// Where keys lie alone. Merges read and write items.
template <class Keys>
struct key_array {
  Keys keys;

  template <class Less>
  __device__ static const Less& order_items(const Less& less) { return less; }
  template <class Item>
  __device__ __forceinline__ void read(std::int64_t i, Item& item) const { item = keys[i]; }
  template <class Item>
  __device__ __forceinline__ void write(std::int64_t i, const Item& item) const { keys[i] = item; }
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

  template <class Less>
  __device__ static key_order<Less> order_items(const Less& less) { return {less}; }
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
  std::int64_t a, b;  ///< where its parts begin
  int a_count, b_count;
};

/// Finds the parts of the tile whose results are numbers `first` to `last` of the merge. A half of the first warp
/// searches for each end, because a search by a single thread would wait for memory several times as often. All threads
/// of the block call it; one barrier, and whoever calls it again has one between.
template <class A, class B, class Less>
__device__ __forceinline__ tile_parts find_parts(const merge_inputs<A, B>& in, std::int64_t first, std::int64_t last,
                                                 const Less& less) {
  using ends_type = shared_array<std::int64_t, 2>;
  GPUPRIM_SHARED(ends, ends_type);
  const int rank = int(this_block::thread_rank());
  const warp_tile<warp_size / 2> half;
  if (rank < warp_size) {
    const int end = rank / (warp_size / 2);
    const std::int64_t found = gpuprim::warp_merge_path(half, in.a.keys, in.a_count, in.b.keys, in.b_count,
                                                        end == 0 ? first : last, less);
    if (half.thread_rank() == 0) ends[end] = found;
  }
  this_block::sync();
  const std::int64_t a = ends[0], count = last - first;
  // With an order that contradicts itself the ends may too; no part leaves its array all the same.
  const std::int64_t least = last - in.b_count > a ? last - in.b_count : a;
  const std::int64_t most = in.a_count < a + count ? in.a_count : a + count;
  const std::int64_t found = ends[1], a_end = found < least ? least : found > most ? most : found;
  return {a, first - a, int(a_end - a), int(a + count - a_end)};
}

/// Reads what a tile takes of both arrays, striped: a's part and then b's.
template <int BlockSize, class A, class B, class Item, int Items>
__device__ __forceinline__ void read_parts(const merge_inputs<A, B>& in, const tile_parts& parts,
                                           Item (&items)[Items]) {
  const int rank = int(this_block::thread_rank()), count = parts.a_count + parts.b_count;
  const auto a = in.a.from(parts.a + rank);
  const auto b = in.b.from(parts.b - parts.a_count + rank);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int at = i * BlockSize + rank;
    if (at < count) detail::read_either(at < parts.a_count, a, b, i * BlockSize, items[i]);
  }
}

/// Merges results number `first` and the `BlockSize * Items` from there on, as far as there are any; the first of them
/// goes to the beginning of `out`. All threads of the block call it, and once: it has no barrier at its end.
template <int BlockSize, int Items, class A, class B, class Out, class Less>
__device__ __forceinline__ void merge_tile(const merge_inputs<A, B>& in, std::int64_t first, const Out& out,
                                           const Less& less) {
  using item_type = typename merge_inputs<A, B>::item_type;
  const std::int64_t left = in.a_count + in.b_count - first;
  const int count = left < BlockSize * Items ? int(left) : BlockSize * Items;
  const tile_parts parts = detail::find_parts(in, first, first + count, less);
  const int rank = int(this_block::thread_rank());
  const auto tile = detail::make_block_tile<BlockSize, item_type, Items>();
  uninitialized_array<item_type, Items> items;
  detail::read_parts<BlockSize>(in, parts, items.items);
  tile.store_striped(unsigned(rank), items.items);
  this_block::sync();
  detail::merge_runs(tile, 0, parts.a_count, count, rank * Items, A::order_items(less), items.items);
  this_block::sync();
  tile.store_blocked(unsigned(rank), items.items);
  this_block::sync();
  tile.load_striped(unsigned(rank), items.items);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int at = i * BlockSize + rank;
    if (at < count) out.write(at, items[i]);
  }
}

}  // namespace gpuprim::detail
