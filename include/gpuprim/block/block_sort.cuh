// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/merge_items.cuh>
#include <gpuprim/thread/thread_sort.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Sorts the first `own` of a thread's items. The places behind them get the last one in the order again, behind which
/// a stable sort leaves them, so that `less` sees no others.
template <class Item, int Items, class Less>
__device__ __forceinline__ void sort_own(Item (&items)[Items], int own, const Less& less) {
  if (own <= 0) return;
  if (own < Items) {
    Item last = items[0];
#pragma unroll
    for (int i = 1; i < Items; ++i) {
      if (i >= own) items[i] = last;
      else if (less(last, items[i])) last = items[i];
    }
  }
  gpuprim::thread_sort(items, less);
}

/// Sorts items: each thread its own, and then pairs of neighbouring runs are merged until there is one. Runs of a warp
/// meet in the warp alone.
template <int BlockSize, class Block, class Item, int Items, class Less>
__device__ __forceinline__ void sort_block(const Block& block, Item (&items)[Items], const Less& less, int valid_count,
                                           call_site here) {
  detail::expects_exchange<BlockSize, Item, Items>(block, here);
  expects(valid_count >= 0, "gpuprim::block_sort: valid_count must not be negative: it is %lld", here, valid_count);
  const int rank = int(block.thread_rank()), count = valid_count < BlockSize * Items ? valid_count : BlockSize * Items;
  detail::sort_own(items, valid_count == all_values ? Items : count - rank * Items, less);
  const auto tile = detail::make_block_tile<BlockSize, Item, Items>(block);
  const warp_tile<warp_size> warp;
  const auto before_count = [&](int position) { return position < count ? position : count; };
#pragma unroll 1
  for (int run = 1; run < BlockSize && run * Items < count; run *= 2) {
    const auto meet = [&] {
      if (BlockSize % warp_size == 0 && 2 * run <= warp_size) warp.sync();
      else block.sync();
    };
    const int first = rank & -(2 * run);
    tile.store_blocked(unsigned(rank), items);
    meet();
    detail::merge_runs(tile, before_count(first * Items), before_count((first + run) * Items),
                       before_count((first + 2 * run) * Items), (rank - first) * Items, less, items);
    meet();
  }
  if (BlockSize > warp_size && count <= warp_size * Items) block.sync();  // a warp alone has merged
}

template <int BlockSize, class Order, class Key, class Value, class Block>
__device__ __forceinline__ void expects_sort([[maybe_unused]] const Block& block, [[maybe_unused]] call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_sort: the group must be a thread block");
  static_assert(is_order_on<Order, Key>,
                "gpuprim::block_sort: the order's const operator() must take two keys and say whether the first is "
                "less");
  static_assert(element<Key> && element<Value>,
                "gpuprim::block_sort: keys and values must be trivially copyable and assignable");
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_sort", here);
}

}  // namespace detail

/// Sorts the keys of a block in place, of which each thread has `Items`: key `i` of a thread is number
/// `rank * Items + i`.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all;
///        its keys take at most 48 KiB, or it is a block_with_memory of `block_sort_bytes<BlockSize, Items, Key>`.
///        `less(a, b)` says whether a comes before b, and is a strict weak order. 0 <= valid_count: only that many of
///        the first keys are sorted, and `less` does not see the others, which become unspecified.
/// @sync  block barriers (of the warp for a single one): it may be called twice in a row. Accesses to shared memory
///        before and after it are ordered.
/// @order kept among equal keys.
/// @cost  thread_sort, and then log2(BlockSize) merges, each with a store of shared memory for each key, a search of at
///        most log2(BlockSize * Items) steps a thread, and a load for each key. An odd number of Items of 4 bytes has
///        the fewest bank conflicts. The shared memory of the keys, which exchanges of as many bytes share; or that of
///        a block_with_memory, and no barrier is owed behind it.
/// @source Green, McColl and Bader, "GPU merge path: a GPU merging algorithm", 2012; cub::BlockMergeSort.
/// @example examples/library/66_merge_sort.cu
template <int BlockSize, class Block, class Key, int Items, class Less>
__device__ __forceinline__ void block_sort(const Block& block, Key (&keys)[Items], const Less& less,
                                           int valid_count = detail::all_values,
                                           detail::call_site here = detail::call_site::current()) {
  const auto order = detail::comparing(less);
  detail::expects_sort<BlockSize, std::remove_const_t<decltype(order)>, Key, Key>(block, here);
  detail::sort_block<BlockSize>(block, keys, order, valid_count, here);
}

/// Sorts the keys of a block, and the values beside them. A value that is longer than 2 bytes and makes a key's item
/// longer stays where it is until its place is known. A block_with_memory has `block_sort_bytes<BlockSize, Items, Key,
/// Value>`.
template <int BlockSize, class Block, class Key, class Value, int Items, class Less>
__device__ __forceinline__ void block_sort(const Block& block, Key (&keys)[Items], Value (&values)[Items],
                                           const Less& less, int valid_count = detail::all_values,
                                           detail::call_site here = detail::call_site::current()) {
  const auto order = detail::comparing(less);
  detail::expects_sort<BlockSize, std::remove_const_t<decltype(order)>, Key, Value>(block, here);
  detail::with_pairs<BlockSize>(block, keys, values, order, valid_count, here, [&](auto& items, const auto& by_key) {
    detail::sort_block<BlockSize>(block, items, by_key, valid_count, here);
  });
}

}  // namespace gpuprim
