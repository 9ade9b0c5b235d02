// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/core/top_k_order.hpp>

namespace gpuprim::inline v0_2_0 {

/// The bytes of a block_with_memory that block_top_k needs.
template <int BlockSize>
inline constexpr int block_top_k_bytes = detail::bytes_of_parts(
    sizeof(detail::radix_counters<BlockSize>), sizeof(detail::found_bin<int>), block_scan_bytes<BlockSize, int>);

/// Finds the k largest of the keys of a block's threads, or the k smallest: `taken[i]` becomes whether `keys[i]` is one
/// of them. All are taken if k is above their number, and none if it is not above 0. Of equal keys those of the lowest
/// ranks are taken, and of one thread the first ones. `block_compact(block, keys, taken, out)` writes them.
///
/// @pre   All threads of the block call it, with the same k. The block has BlockSize threads, of one, two or three
///        dimensions. The keys are numbers of at most 64 bits, which are in the order of `top_k`.
/// @sync  many block barriers: it may be called twice in a row. Accesses to shared memory before and after it are
///        ordered.
/// @order the keys stay where they are; the result is the same in every run.
/// @cost  for each 8 to 11 bits of the keys one atomic addition in shared memory a key, a scan over the bins, and five
///        barriers, until the rest of the bits does not matter; 1 to 8 KiB of shared memory. A block_with_memory has
///        `block_top_k_bytes<BlockSize>`, and no barrier is owed behind it.
/// @source Alabi, Blanchard, Gordon and Steinbach, "Fast k-selection algorithms for graphics processing units", 2012.
/// @example examples/library/68_top_k.cu
template <int BlockSize, class Block, class T, int Items>
__device__ __forceinline__ void block_top_k(const Block& block, const T (&keys)[Items], int k, bool (&taken)[Items],
                                            top_k_end end = top_k_end::largest,
                                            detail::call_site here = detail::call_site::current()) {
  static_assert(block_like<Block>, "gpuprim::block_top_k: the group must be a thread block");
  static_assert(BlockSize >= 1 && BlockSize <= max_block_size, "gpuprim::block_top_k: a block has 1 to 1024 threads");
  static_assert(is_number<T>, "gpuprim::block_top_k: the keys must be numbers of at most 64 bits");
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_top_k", here);
  detail::expects_whole_block(here);
  detail::expects_memory<block_top_k_bytes<BlockSize>>(block, here);
  using ranking = detail::key_ranking<T, detail::zeros::equal>;
  using word = typename ranking::word;
  constexpr int count = BlockSize * Items;
  using counters_type = detail::radix_counters<BlockSize>;
  auto& counters = detail::storage_of<counters_type>(block);
  const auto ranks = ranking::of(end);
  const int first = int(block.thread_rank()) * Items;
  uninitialized_array<word, Items> words;
#pragma unroll
  for (int i = 0; i < Items; ++i) words[i] = ranks.rank(keys[i]);
  detail::top_k_limit<word> limit{0, k > 0 ? detail::every_place : -1};
  if (k > 0 && k < count) {
    limit = detail::block_find_limit<BlockSize, word>(
        counters, ranking::bits, k, count, 0, count,
        [&](const auto& take) {
#pragma unroll
          for (int i = 0; i < Items; ++i) take(words[i], first + i);
        },
        detail::memory_behind<sizeof(counters_type)>(block));
    detail::leave_memory(block);
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) taken[i] = k > 0 && limit.takes(words[i], first + i);
}

}  // namespace gpuprim
