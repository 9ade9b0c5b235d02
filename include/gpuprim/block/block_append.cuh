// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_compact.cuh>
#include <gpuprim/core/append_queue.hpp>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <int BlockSize, int Items, class Block, class T, class Wanted>
__device__ __forceinline__ appended append(const Block& block, const append_queue<T>& queue, const T* values,
                                           const Wanted& wanted, call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_append: the group must be a thread block");
  static_assert(BlockSize >= 0 && BlockSize <= max_block_size, "gpuprim::block_append: a block has 1 to 1024 threads");
  static_assert(element<T>, "gpuprim::block_append: the element type must be trivially copyable and assignable");
  static_assert(tells_kept<Wanted, T, Items>,
                "gpuprim::block_append: what is wanted is told by a flag for each value, or by a predicate whose const "
                "operator() takes a value and returns a bool");
  detail::expects_block<BlockSize>(block, "gpuprim::block_append", here);
  const auto kept = detail::find_kept<Items>(values, wanted);
  const auto [before, count] = detail::count_kept<BlockSize>(block, kept);
  if (count == 0) return {0, 0};
  unsigned long long first = 0;
  if (block.thread_rank() == 0) first = atomicAdd(queue.count, static_cast<unsigned long long>(count));
  first = detail::block_broadcast<BlockSize>(block, first);
  appended mine{static_cast<std::int64_t>(first) + before, 0};
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const std::int64_t at = mine.place + mine.stored;
    if (kept.of[i] && at < queue.capacity) {
      queue.items[at] = values[i];
      ++mine.stored;
    }
  }
  return mine;
}

}  // namespace detail

/// Appends the wanted values of a block to a queue in global memory.
///
/// @pre   as block_rank. `wanted` is a flag, or a predicate on the value.
/// @sync  three block barriers, four in a block_with_memory (none for a single warp), two where no value is wanted: it
///        may be called twice in a row. A later launch may read the items.
/// @order the values of a block stand side by side in rank order; those of blocks stand in any order.
/// @cost  block_rank and one atomic operation on global memory, or none where no value is wanted; 8 bytes of shared
///        memory more, but `block_compact_bytes<BlockSize>` of a block_with_memory suffice.
/// @return where the value stands: `stored` is 1, or 0 where it is not wanted or does not fit.
/// @source Harris, "Warp-aggregated atomics", 2014; one level more here.
/// @example examples/course/15_03_append.cu
template <int BlockSize = runtime_block_size, class Block, class T, class Wanted>
__device__ __forceinline__ appended block_append(const Block& block, const append_queue<T>& queue,
                                                 const std::type_identity_t<T>& value, const Wanted& wanted,
                                                 detail::call_site here = detail::call_site::current()) {
  return detail::append<BlockSize, 1>(block, queue, detail::pointer_to(value), wanted, here);
}

/// Appends the wanted ones of `Items` values of each thread, those of rank 0 first. `wanted` is a predicate, or an
/// array of as many flags. The values of a thread stand side by side.
template <int BlockSize = runtime_block_size, class Block, class T, int Items, class Wanted>
__device__ __forceinline__ appended block_append(const Block& block, const append_queue<T>& queue,
                                                 const T (&values)[Items], const Wanted& wanted,
                                                 detail::call_site here = detail::call_site::current()) {
  return detail::append<BlockSize, Items>(block, queue, detail::pointer_to(values[0]), wanted, here);
}

}  // namespace gpuprim
