// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_with_memory.cuh>
#include <gpuprim/block/detail/block_layouts.cuh>
#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

// The reduce of a block of whole warps, where every thread has a value: most put theirs into shared memory, and the
// first warp or two add up. One warp shuffles instead of all, and a shared load carries 16 bytes. Small values come in
// rows, which keep the order, or in columns; long ones in columns.
namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Whether the caller is in the first warps: true for all of a warp, or for none of it. The vote makes that known to
/// the compiler, which would otherwise add code for diverged warps.
template <int Warps = 1, class Block>
__device__ __forceinline__ bool is_in_first_warps(const Block& block) {
  return __all_sync(0xffffffffu, block.thread_rank() < unsigned(Warps * warp_size));
}

/// Who makes the barrier behind which the shared memory of a reduce may be used again: the reduce, or its caller.
enum class reuse_barrier { own, callers };

/// Keeps the order: a lane adds up the values of neighbouring threads.
template <int BlockSize, reuse_barrier Reuse, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce_rows(const Block& block, T value, const Op& op) {
  auto& shared = detail::storage_of<block_rows<T, BlockSize / warp_size>>(block);
  const unsigned rank = unsigned(block.thread_rank());
  bool first = is_in_first_warps(block);
  shared.of_thread(rank) = value;
  block.sync();
  T total = ptx::unspecified(value);
  if (first) {
    const auto mine = shared.of_lane(rank);
    total = gpuprim::thread_reduce(mine.values, op);
  }
  if constexpr (Reuse == reuse_barrier::own) block.sync();  // the other warps go on while the first one shuffles
  // In a small block the compiler would move a shuffle that is one instruction ahead of that barrier; a vote holds it.
  if constexpr (BlockSize <= 128 && warp_uses_redux<warp_tile<warp_size>, T, Op>) first = is_in_first_warps(block);
  if (first) total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, op);
  return total;
}

/// Whether a block with room in shared memory joins its values in columns. Long ones are: the cost of a shuffle grows
/// with the words of a value, and two warps then shuffle in place of all.
/// See docs/lab/block_reduce.md, "Figures that stood in the code".
template <int BlockSize, class T, class Op>
inline constexpr bool joins_columns = is_commutative<Op, T> && has_identity<Op, T> && BlockSize > warp_size &&
                                      sizeof(T) > 8 && columns_bytes<BlockSize, T> <= most_columns_bytes;

/// Does not keep the order, but stores and loads less: the first warps keep their values, and a lane adds to its own
/// those of the same lane of other warps.
template <int BlockSize, reuse_barrier Reuse = reuse_barrier::own, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce_columns(const Block& block, T value, const Op& op) {
  constexpr int takers = column_takers<BlockSize, T>;
  constexpr unsigned taken = takers * warp_size;
  using columns = block_columns<T, BlockSize - taken>;
  auto& shared = detail::storage_of<columns>(block);
  GPUPRIM_SHARED(totals, shared_array<T, takers>);  // of long values, which only passes over device memory have here
  const unsigned rank = unsigned(block.thread_rank());
  const bool takes = is_in_first_warps<takers>(block);
  if (!takes) shared[rank - taken] = value;
  block.sync();
  if (takes) {
#pragma unroll(unroll_factor<T>)
    for (unsigned first = 0; first < BlockSize - taken; first += taken) value = op(value, shared[first + rank]);
    value = gpuprim::warp_reduce(warp_tile<warp_size>{}, value, op);
    if (takers > 1 && rank % warp_size == 0) totals[rank / warp_size] = value;
  }
  if constexpr (takers > 1 || Reuse == reuse_barrier::own) block.sync();
  if (takers > 1 && rank == 0) value = op(value, totals[1]);
  return value;
}

/// Whether values that are small enough for rows are joined in columns: those of two words, and those whose chunk would
/// be at most one load, unless the last step is one instruction. See docs/lab/block_reduce.md.
template <int BlockSize, class T, class Op>
inline constexpr bool reduces_columns =
    (BlockSize > warp_size) && BlockSize % warp_size == 0 && sizeof(T) <= 8 && is_commutative<Op, T> &&
    !warp_uses_redux<warp_tile<warp_size>, T, Op> && (sizeof(T) > 4 || BlockSize <= 128);

/// A chunk fits in 32 registers: more could not be held by each of 1024 threads.
template <int BlockSize, class T>
inline constexpr bool reduces_rows =
    (BlockSize > warp_size) && BlockSize % warp_size == 0 && sizeof(T) <= 8 && BlockSize / warp_size * sizeof(T) <= 128;

}  // namespace gpuprim::detail

namespace gpuprim::inline v0_2_0 {

/// Stands for a block size that is known only at run time.
inline constexpr int runtime_block_size = 0;

namespace detail {

template <int BlockSize>
inline constexpr int max_warps = (BlockSize ? BlockSize : max_block_size) / warp_size + (BlockSize % warp_size != 0);

template <int BlockSize, class Block>
__device__ __forceinline__ int block_threads(const Block& block) {
  return BlockSize ? BlockSize : int(block.size());
}

/// Joins the value of each warp's lane 0, in warp order; rank 0 gets the result.
template <int BlockSize, reuse_barrier Reuse = reuse_barrier::own, class Block, class T, class Op>
__device__ __forceinline__ T block_join_warps(const Block& block, T value, const Op& op, int valid_warps) {
  if constexpr (max_warps<BlockSize> > 1) {
    auto& warp_values = detail::storage_of<joined_values<T, max_warps<BlockSize>>>(block);
    const unsigned rank = unsigned(block.thread_rank());
    if (rank % warp_size == 0) warp_values[rank / warp_size] = value;
    block.sync();
    if (rank < warp_size) {
      if (int(rank) < valid_warps) value = warp_values[rank];
      value = detail::warp_reduce_first<max_warps<BlockSize>>(warp_tile<warp_size>{}, value, op, valid_warps);
    }
    if constexpr (Reuse == reuse_barrier::own) block.sync();
  }
  return value;
}

/// Every thread gets the value of rank 0. The barrier is the one that the reduce before has left to its caller; that of
/// the next reduce comes before the value is overwritten.
template <int BlockSize, class Block, class T>
__device__ __forceinline__ T block_broadcast(const Block& block, const T& value) {
  if constexpr (max_warps<BlockSize> == 1) {
    return detail::shuffle(warp_tile<warp_size>{}, value, 0);
  } else {
    auto& total = detail::storage_of<broadcast_value<T>>(block);
    if (block.thread_rank() == 0) total[0] = value;
    block.sync();
    const T of_all = total[0];
    detail::leave_memory(block);
    return of_all;
  }
}

template <int BlockSize, class Block, class T, class Op>
GPUPRIM_HOST_DEVICE constexpr void check_block_arguments() {
  static_assert(block_like<Block>, "gpuprim::block_reduce: the group must be a thread block");
  static_assert(BlockSize >= 0 && BlockSize <= max_block_size, "gpuprim::block_reduce: a block has 1 to 1024 threads");
  static_assert(element<T>, "gpuprim::block_reduce: the element type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::block_reduce: the operator's const operator() must take two values of the type and return "
                "one");
}

/// Shared memory of a reduce in any form, and of the value behind it that goes to all threads.
template <int BlockSize, class T, class Op>
GPUPRIM_HOST_DEVICE constexpr int reduce_bytes() {
  constexpr int warps = max_warps<BlockSize>, joined = warps > 1 ? int(sizeof(joined_values<T, warps>)) : 0;
  if constexpr (reduces_columns<BlockSize, T, Op>) {
    return detail::larger(joined, int(sizeof(block_columns<T, BlockSize - warp_size>)));
  } else if constexpr (reduces_rows<BlockSize, T>) {
    return detail::larger(joined, int(sizeof(block_rows<T, BlockSize / warp_size>)));
  } else {
    return joined;
  }
}
template <int BlockSize, class T>
inline constexpr int broadcast_bytes = max_warps<BlockSize> > 1 ? int(sizeof(broadcast_value<T>)) : 0;

template <int BlockSize, class T, class Op, class Block>
__device__ __forceinline__ void expects_block(const Block& block, call_site here) {
  detail::expects_memory<detail::bytes_of_parts(reduce_bytes<BlockSize, T, Op>(), broadcast_bytes<BlockSize, T>)>(block,
                                                                                                                  here);
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_reduce", here);
  detail::expects_whole_block(here);
}

/// The number of values, which is not above that of the block's threads.
template <int BlockSize, class Block>
__device__ __forceinline__ int count_values(const Block& block, int valid_count, call_site here) {
  expects(0 <= valid_count, "gpuprim::block_reduce: valid_count must not be negative: it is %lld", here, valid_count);
  const int threads = block_threads<BlockSize>(block);
  return valid_count < threads ? valid_count : threads;
}

/// Reduces the block's first `count` values.
template <int BlockSize, reuse_barrier Reuse, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce_first(const Block& block, T value, const Op& op, int count) {
  const int warp_start = int(unsigned(block.thread_rank()) / warp_size * warp_size);
  value = detail::warp_reduce_first<warp_size>(warp_tile<warp_size>{}, value, op, count - warp_start);
  return detail::block_join_warps<BlockSize, Reuse>(block, value, op, (count + warp_size - 1) / warp_size);
}

/// Reduces all values of the block.
template <int BlockSize, reuse_barrier Reuse, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce_all(const Block& block, T value, const Op& op) {
  if constexpr (reduces_columns<BlockSize, T, Op>) {
    return detail::block_reduce_columns<BlockSize, Reuse>(block, value, op);
  } else if constexpr (reduces_rows<BlockSize, T>) {
    return detail::block_reduce_rows<BlockSize, Reuse>(block, value, op);
  } else if constexpr (BlockSize > 0 && BlockSize % warp_size == 0) {
    value = gpuprim::warp_reduce(warp_tile<warp_size>{}, value, op);
    return detail::block_join_warps<BlockSize, Reuse>(block, value, op, BlockSize / warp_size);
  } else {
    return detail::block_reduce_first<BlockSize, Reuse>(block, value, op, block_threads<BlockSize>(block));
  }
}

}  // namespace detail

/// The bytes of a block_with_memory that block_reduce and block_all_reduce need.
template <int BlockSize, class T, class Op>
inline constexpr int block_reduce_bytes =
    detail::bytes_of_parts(detail::reduce_bytes<BlockSize, T, Op>(), detail::broadcast_bytes<BlockSize, T>);

/// Reduces the values of the first `valid_count` threads of a block; rank 0 gets the result.
///
/// @pre   All threads of the block call it; 0 <= valid_count, where a count above the block's size is that of all. The
///        block has one, two or three dimensions and BlockSize threads in all, or any number where it is left out.
/// @sync  two block barriers (none for a single warp): it may be called twice in a row. Accesses to shared memory
///        before and after it are ordered if the block has more than one warp.
/// @order kept, by a tree that depends on the block's size alone; the overload without a count says where it does not.
/// @cost  one warp_reduce a warp, one over the warps; sizeof(T) bytes of shared memory a warp. A block_with_memory has
///        `block_reduce_bytes<BlockSize, T, Op>`, and no barrier is owed behind it.
/// @return rank 0: op over the threads in rank order; of none the identity, if there is one. Other ranks: unspecified.
/// @source Harris, "Optimizing parallel reduction in CUDA", 2007.
/// @example examples/library/01_levels.cu
template <int BlockSize = runtime_block_size, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce(const Block& block, T value, const Op& op, int valid_count,
                                          detail::call_site here = detail::call_site::current()) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  detail::expects_block<BlockSize, T, Op>(block, here);
  const int count = detail::count_values<BlockSize>(block, valid_count, here);
  if (count == 0) value = detail::identity_or<Op>(value);
  return detail::block_reduce_first<BlockSize, detail::reuse_barrier::own>(block, value, op, count);
}

/// Reduces the values of all threads of a block; rank 0 gets the result. See the overload with a count. Where BlockSize
/// is a multiple of 32 and T has at most 4 bytes (8 if BlockSize <= 512 or `is_commutative<Op, T>`), one warp does all
/// the work: the tree is another, the order is kept unless `is_commutative<Op, T>`, and it takes about 9/8 * sizeof(T)
/// bytes of shared memory a thread.
template <int BlockSize = runtime_block_size, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce(const Block& block, T value, const Op& op,
                                          detail::call_site here = detail::call_site::current()) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  detail::expects_block<BlockSize, T, Op>(block, here);
  return detail::block_reduce_all<BlockSize, detail::reuse_barrier::own>(block, value, op);
}

/// Reduces `Items` values of each thread of a block, those of rank 0 first; rank 0 gets the result. A thread joins its
/// own first.
template <int BlockSize = runtime_block_size, class Block, class T, int Items, class Op>
__device__ __forceinline__ T block_reduce(const Block& block, const T (&values)[Items], const Op& op,
                                          detail::call_site here = detail::call_site::current()) {
  return gpuprim::block_reduce<BlockSize>(block, gpuprim::thread_reduce(values, op), op, here);
}

/// Reduces the values of the first `valid_count` threads of a block; every thread gets the result.
///
/// @pre   as block_reduce.
/// @sync  two block barriers, three in a block_with_memory (none for a single warp): it may be called twice in a row.
///        Accesses to shared memory before and after it are ordered if the block has more than one warp.
/// @order as block_reduce, whose bits every thread gets.
/// @cost  block_reduce, and sizeof(T) bytes of shared memory through which its result goes.
/// @return op over the threads in rank order; of none the identity, if there is one.
/// @source as block_reduce.
/// @example examples/library/01_levels.cu
template <int BlockSize = runtime_block_size, class Block, class T, class Op>
__device__ __forceinline__ T block_all_reduce(const Block& block, T value, const Op& op, int valid_count,
                                              detail::call_site here = detail::call_site::current()) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  detail::expects_block<BlockSize, T, Op>(block, here);
  const int count = detail::count_values<BlockSize>(block, valid_count, here);
  if (count == 0) value = detail::identity_or<Op>(value);
  value = detail::block_reduce_first<BlockSize, detail::reuse_barrier::callers>(block, value, op, count);
  return detail::block_broadcast<BlockSize>(detail::memory_behind<detail::reduce_bytes<BlockSize, T, Op>()>(block),
                                            value);
}

/// Reduces the values of all threads of a block; every thread gets the result. See the overload with a count.
template <int BlockSize = runtime_block_size, class Block, class T, class Op>
__device__ __forceinline__ T block_all_reduce(const Block& block, T value, const Op& op,
                                              detail::call_site here = detail::call_site::current()) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  detail::expects_block<BlockSize, T, Op>(block, here);
  value = detail::block_reduce_all<BlockSize, detail::reuse_barrier::callers>(block, value, op);
  return detail::block_broadcast<BlockSize>(detail::memory_behind<detail::reduce_bytes<BlockSize, T, Op>()>(block),
                                            value);
}

/// Reduces `Items` values of each thread of a block, those of rank 0 first; every thread gets the result.
template <int BlockSize = runtime_block_size, class Block, class T, int Items, class Op>
__device__ __forceinline__ T block_all_reduce(const Block& block, const T (&values)[Items], const Op& op,
                                              detail::call_site here = detail::call_site::current()) {
  return gpuprim::block_all_reduce<BlockSize>(block, gpuprim::thread_reduce(values, op), op, here);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
