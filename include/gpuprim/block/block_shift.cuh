// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/detail/exchange_tile.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// `Values`: of each thread in shared memory.
template <int BlockSize, class T, int Values = 1, class Block>
__device__ __forceinline__ void expects_shift([[maybe_unused]] const Block& block, [[maybe_unused]] call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_shift: the group must be a thread block");
  static_assert(BlockSize >= 1 && BlockSize <= max_block_size,
                "gpuprim::block_shift: BlockSize must be from 1 to 1024");
  static_assert(element<T>, "gpuprim::block_shift: the element type must be trivially copyable and assignable");
  static_assert(has_memory<Block> || BlockSize * sizeof(T) <= most_static_shared_bytes,
                "gpuprim::block_shift: a value of each thread must fit in 48 KiB of shared memory, or the group be a "
                "gpuprim::block_with_memory");
  detail::expects_memory<int(sizeof(T)) * Values * BlockSize>(block, here);
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_shift", here);
  detail::expects_whole_block(here);
}

/// Room for so many values.
template <int Count, class T, class Block>
__device__ __forceinline__ T* values_of_block(const Block& block) {
  return reinterpret_cast<T*>(
      detail::exchange_memory<meeting::of_block, int(sizeof(T)) * Count, int(alignof(T))>(block));
}

/// Which neighbour a thread takes a value from. The first and the last thread take each other's in place of none: a
/// load that one thread leaves out would take more instructions.
enum class side { before, behind };

/// The first thread has none before it, and the last one none behind it.
template <int BlockSize, side Side>
inline constexpr unsigned edge_rank = Side == side::before ? 0 : BlockSize - 1;

/// The neighbour's value, where each thread has one in shared memory.
template <int BlockSize, side Side, class T>
__device__ __forceinline__ const T& value_of_neighbour(const T* values, unsigned rank) {
  constexpr unsigned step = Side == side::before ? BlockSize - 1 : 1;
  return values[(rank + step) % BlockSize];
}

/// The value of the neighbour.
template <int BlockSize, side Side, class Block, class T>
__device__ __forceinline__ T take_from(const Block& block, T value, call_site here) {
  detail::expects_shift<BlockSize, T>(block, here);
  T* const all = detail::values_of_block<BlockSize, T>(block);
  const unsigned rank = unsigned(block.thread_rank());
  all[rank] = value;
  block.sync();
  value = detail::value_of_neighbour<BlockSize, Side>(all, rank);
  block.sync();
  return value;
}

/// Moves blocked values by one place, away from the side that a thread takes one from; `outer` comes in at the edge.
/// Returns the value that has lost its place at the other edge.
template <int BlockSize, side Side, class Block, class T, int Items>
__device__ __forceinline__ T shift_items(const Block& block, T (&values)[Items], const T& outer, call_site here) {
  constexpr bool is_up = Side == side::before;
  constexpr int given = is_up ? Items - 1 : 0, taken = Items - 1 - given;
  detail::expects_shift<BlockSize, T>(block, here);
  T* const all = detail::values_of_block<BlockSize, T>(block);
  const unsigned rank = unsigned(block.thread_rank());
  all[rank] = values[given];
#pragma unroll
  for (int i = 1; i < Items; ++i) {
    if constexpr (is_up) values[Items - i] = values[Items - i - 1];
    else values[i - 1] = values[i];
  }
  block.sync();
  values[taken] = detail::value_of_neighbour<BlockSize, Side>(all, rank);
  const T left = all[BlockSize - 1 - edge_rank<BlockSize, Side>];
  block.sync();
  if (rank == edge_rank<BlockSize, Side>) values[taken] = outer;
  return left;
}

}  // namespace detail

/// The bytes of a block_with_memory that block_shift_up, block_shift_down, block_rotate, block_adjacent_difference and
/// block_flag_heads or block_flag_tails need; block_flag_heads_and_tails needs twice as many.
template <int BlockSize, class T>
inline constexpr int block_shift_bytes = BlockSize * int(sizeof(T));

/// Returns the value of the thread before; to rank 0, `before`.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all.
///        Its values take at most 48 KiB, or fit the memory of a block_with_memory.
/// @sync  two block barriers: it may be called twice in a row. Accesses to shared memory before and after it are
///        ordered.
/// @order the values are moved and not changed.
/// @cost  a store and a load of shared memory; `BlockSize * sizeof(T)` bytes of it, shared with exchanges of as many. A
///        block_with_memory has `block_shift_bytes<BlockSize, T>`, and no barrier is owed behind it.
/// @return the value of rank - 1.
/// @source cub::BlockShuffle.
/// @example examples/library/81_neighbours.cu
template <int BlockSize, class Block, class T>
__device__ __forceinline__ T block_shift_up(const Block& block, T value, std::type_identity_t<T> before,
                                            detail::call_site here = detail::call_site::current()) {
  value = detail::take_from<BlockSize, detail::side::before>(block, value, here);
  if (block.thread_rank() == 0) value = before;
  return value;
}

/// Returns the value of the thread behind; to the last rank, `behind`. In all else like block_shift_up.
template <int BlockSize, class Block, class T>
__device__ __forceinline__ T block_shift_down(const Block& block, T value, std::type_identity_t<T> behind,
                                              detail::call_site here = detail::call_site::current()) {
  value = detail::take_from<BlockSize, detail::side::behind>(block, value, here);
  if (block.thread_rank() == BlockSize - 1) value = behind;
  return value;
}

/// Moves blocked values one place up: each takes the place of the next, and the first becomes `before`.
/// @return in every thread, the last value of the block, which has lost its place.
template <int BlockSize, class Block, class T, int Items>
__device__ __forceinline__ T block_shift_up(const Block& block, T (&values)[Items], std::type_identity_t<T> before,
                                            detail::call_site here = detail::call_site::current()) {
  return detail::shift_items<BlockSize, detail::side::before>(block, values, before, here);
}

/// Moves blocked values one place down: each takes the place of the one before, and the last becomes `behind`.
/// @return in every thread, the first value of the block, which has lost its place.
template <int BlockSize, class Block, class T, int Items>
__device__ __forceinline__ T block_shift_down(const Block& block, T (&values)[Items], std::type_identity_t<T> behind,
                                              detail::call_site here = detail::call_site::current()) {
  return detail::shift_items<BlockSize, detail::side::behind>(block, values, behind, here);
}

/// Returns the value of the thread `distance` behind, where rank 0 follows on the last one.
/// @pre as block_shift_up, and -BlockSize < distance < BlockSize. @return the value of rank + distance, modulo
///        BlockSize.
template <int BlockSize, class Block, class T>
[[nodiscard]] __device__ __forceinline__ T block_rotate(const Block& block, T value, int distance,
                                                        detail::call_site here = detail::call_site::current()) {
  detail::expects_shift<BlockSize, T>(block, here);
  detail::expects(-BlockSize < distance && distance < BlockSize,
                  "gpuprim::block_rotate: the distance must be less than the block's size: it is %lld, BlockSize is "
                  "%lld",
                  here, distance, BlockSize);
  T* const all = detail::values_of_block<BlockSize, T>(block);
  const unsigned rank = unsigned(block.thread_rank());
  all[rank] = value;
  block.sync();
  int from = int(rank) + distance;
  if (from >= BlockSize) from -= BlockSize;
  if (from < 0) from += BlockSize;
  value = all[from];
  block.sync();
  return value;
}

}  // namespace gpuprim
