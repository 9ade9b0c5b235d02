// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/merge_items.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <int BlockSize, class Order, class Key, class Value, class Block>
__device__ __forceinline__ void expects_merge([[maybe_unused]] const Block& block, [[maybe_unused]] call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_merge: the group must be a thread block");
  static_assert(is_order_on<Order, Key>,
                "gpuprim::block_merge: the order's const operator() must take two keys and say whether the first is "
                "less");
  static_assert(element<Key> && element<Value>,
                "gpuprim::block_merge: keys and values must be trivially copyable and assignable");
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_merge", here);
}

/// Merges two runs of keys in memory to `Items` keys. In each step one is taken, and the next of its run is read.
/// Behind the ends of both runs the keys are unspecified.
template <class Key, int Items, class Less>
__device__ __forceinline__ void merge_memory(const Key* a, const Key* a_end, const Key* b, const Key* b_end,
                                             const Less& less, Key (&merged)[Items]) {
  uninitialized_array<Key, 2> next;
  if (a < a_end) next[0] = *a;
  if (b < b_end) next[1] = *b;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const bool takes_b = !(a < a_end) || (b < b_end && less(next[1], next[0]));
    merged[i] = takes_b ? next[1] : next[0];
    if (i == Items - 1) break;
    const Key* const at = (takes_b ? b : a) + 1;
    if (at < (takes_b ? b_end : a_end)) {
      const Key key = *at;
      if (takes_b) next[1] = key;
      else next[0] = key;
    }
    if (takes_b) b = at;
    else a = at;
  }
}

/// Merges two runs of items that threads hold.
template <int BlockSize, class Block, class Item, int Items, class Less>
__device__ __forceinline__ void merge_block(const Block& block, Item (&items)[Items], int first_count, const Less& less,
                                            int valid_count, call_site here) {
  detail::expects_exchange<BlockSize, Item, Items>(block, here);
  const int count = valid_count < BlockSize * Items ? valid_count : BlockSize * Items;
  expects(0 <= first_count && first_count <= count,
          "gpuprim::block_merge: first_count must be from 0 to the number of keys: it is %lld, there are %lld", here,
          first_count, count);
  const int rank = int(block.thread_rank());
  const auto tile = detail::make_block_tile<BlockSize, Item, Items>(block);
  tile.store_blocked(unsigned(rank), items);
  block.sync();
  detail::merge_runs(tile, 0, first_count, count, rank * Items, less, items);
  block.sync();
}

}  // namespace detail

/// Merges two sorted ranges in memory: each thread of a block gets `Items` neighbouring keys of the merge, rank 0 the
/// first.
///
/// @pre   All threads of the block that want their part call it. The block has one, two or three dimensions and
///        BlockSize threads in all. `a` and `b` are pointers to shared or global memory, to as many keys as their
///        counts say, from 0 on, sorted by `less`, a strict weak order.
/// @sync  none: whoever has written the ranges meets the block before the call, and overwrites them after a barrier.
/// @order kept among equal keys; those of a come before those of b.
/// @cost  a search of at most log2(BlockSize * Items) steps a thread, and a load for each key. No shared memory of its
///        own. Keys behind the last one of the merge are unspecified.
/// @source as block_sort.
/// @example examples/library/67_merge.cu
template <int BlockSize, class Block, class Key, int Items, class Less>
__device__ __forceinline__ void block_merge(const Block& block, const Key* a, int a_count, const Key* b, int b_count,
                                            Key (&merged)[Items], const Less& less,
                                            detail::call_site here = detail::call_site::current()) {
  const auto order = detail::comparing(less);
  detail::expects_merge<BlockSize, std::remove_const_t<decltype(order)>, Key, Key>(block, here);
  detail::expects(a_count >= 0 && b_count >= 0,
                  "gpuprim::block_merge: counts must not be negative: they are %lld and %lld", here, a_count, b_count);
  const int all = a_count + b_count, first = int(block.thread_rank()) * Items;
  const int of_a = gpuprim::merge_path(a, a_count, b, b_count, first < all ? first : all, order);
  const int of_b = (first < all ? first : all) - of_a;
  detail::merge_memory(a + of_a, a + a_count, b + of_b, b + b_count, order, merged);
}

/// Merges two sorted runs of the keys of a block in place, of which each thread has `Items`: key `i` of a thread is
/// number `rank * Items + i`. The first run has `first_count` keys, and the second the others.
///
/// @pre   as block_sort, and 0 <= first_count. Of the keys the first `valid_count` count, if there are more.
/// @sync  two block barriers: it may be called twice in a row. Accesses to shared memory before and after it are
///        ordered.
/// @order kept among equal keys.
/// @cost  a store of shared memory for each key, a search of at most log2(BlockSize * Items) steps a thread, and a load
///        for each key. The shared memory of the keys, which exchanges of as many bytes share; or that of a
///        block_with_memory, as block_sort.
/// @source as block_sort.
/// @example examples/library/67_merge.cu
template <int BlockSize, class Block, class Key, int Items, class Less>
__device__ __forceinline__ void block_merge(const Block& block, Key (&keys)[Items], int first_count, const Less& less,
                                            int valid_count = detail::all_values,
                                            detail::call_site here = detail::call_site::current()) {
  const auto order = detail::comparing(less);
  detail::expects_merge<BlockSize, std::remove_const_t<decltype(order)>, Key, Key>(block, here);
  detail::merge_block<BlockSize>(block, keys, first_count, order, valid_count, here);
}

/// Merges two sorted runs of the keys of a block, and the values beside them.
template <int BlockSize, class Block, class Key, class Value, int Items, class Less>
__device__ __forceinline__ void block_merge(const Block& block, Key (&keys)[Items], Value (&values)[Items],
                                            int first_count, const Less& less, int valid_count = detail::all_values,
                                            detail::call_site here = detail::call_site::current()) {
  const auto order = detail::comparing(less);
  detail::expects_merge<BlockSize, std::remove_const_t<decltype(order)>, Key, Value>(block, here);
  detail::with_pairs<BlockSize>(block, keys, values, order, valid_count, here, [&](auto& items, const auto& by_key) {
    detail::merge_block<BlockSize>(block, items, first_count, by_key, valid_count, here);
  });
}

}  // namespace gpuprim
