// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/detail/exchange_tile.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <int BlockSize, class T, int Items, class Block>
__device__ __forceinline__ void expects_exchange([[maybe_unused]] const Block& block, [[maybe_unused]] call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_exchange: the group must be a thread block");
  static_assert(BlockSize >= 1 && BlockSize <= max_block_size,
                "gpuprim::block_exchange: BlockSize must be from 1 to 1024");
  static_assert(element<T>, "gpuprim::block_exchange: the element type must be trivially copyable and assignable");
  static_assert(has_memory<Block> || BlockSize * Items * std::int64_t(sizeof(T)) <= most_static_shared_bytes,
                "gpuprim::block_exchange: the values of the block must fit in 48 KiB of shared memory, or the group be "
                "a gpuprim::block_with_memory");
  detail::expects_memory<int(scatter_tile<T, BlockSize, Items>::bytes)>(block, here);
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_exchange", here);
  detail::expects_whole_block(here);
}

template <int BlockSize, class T, int Items>
using block_tile = exchange_tile<T, BlockSize, Items>;

/// The shared memory of exchanges and of scatters, which need more of it.
template <int BlockSize, class T, int Items, class Block>
__device__ __forceinline__ unsigned char* memory_of_block(const Block& block) {
  return detail::exchange_memory<meeting::of_block, int(scatter_tile<T, BlockSize, Items>::bytes)>(block);
}

template <int BlockSize, class T, int Items, class Block = this_block>
__device__ __forceinline__ block_tile<BlockSize, T, Items> make_block_tile(const Block& block = {}) {
  return {detail::memory_of_block<BlockSize, T, Items>(block)};
}

template <int BlockSize, class T, int Items, class Block>
__device__ __forceinline__ scatter_tile<T, BlockSize, Items> make_scatter_tile(const Block& block) {
  return {detail::memory_of_block<BlockSize, T, Items>(block)};
}

/// The part of the calling thread's warp in the values of a block.
template <int BlockSize, class T, int Items, class Block>
__device__ __forceinline__ exchange_tile<T, warp_size, Items> make_warp_tile(const Block& block, unsigned rank) {
  static_assert(BlockSize % warp_size == 0,
                "gpuprim::block_exchange: to be striped over warps, BlockSize must be a multiple of 32");
  using tile = exchange_tile<T, warp_size, Items>;
  const unsigned offset = rank / warp_size * tile::bytes;
  return {detail::exchange_memory<meeting::of_warp, int(BlockSize / warp_size * tile::bytes)>(block) + offset};
}

/// Ends an exchange in a warp's part of the memory. The block meets where the next call may part the memory otherwise.
template <class Block>
__device__ __forceinline__ void leave_warp_tile([[maybe_unused]] const Block& block) {
  if constexpr (has_memory<Block>) block.sync();
  else __syncwarp();
}

/// Puts each value at its position among the `Count` values of the block, unless that is negative.
template <int Count, class Tile, class T, int Items, class Rank>
__device__ __forceinline__ void store_at_ranks(const Tile& tile, const T (&values)[Items], const Rank (&ranks)[Items],
                                               call_site here) {
  static_assert(std::is_integral_v<Rank>, "gpuprim::block_exchange: the ranks of a scatter must be integers");
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    bool is_kept = true;
    if constexpr (std::is_signed_v<Rank>) is_kept = ranks[i] >= 0;
    expects(!is_kept || static_cast<std::uint64_t>(ranks[i]) < std::uint64_t(Count),
            "gpuprim::block_exchange: a rank must be below the number of values: it is %lld, there are %lld", here,
            ranks[i], Count);
    if constexpr (std::is_signed_v<Rank>) {
      const int sign = static_cast<int>(ranks[i] >> (sizeof(Rank) > 4 ? 32 : 0));
      tile.store_unless_negative(sign, unsigned(ranks[i]), values[i]);
    } else {
      tile.store_at(unsigned(ranks[i]), values[i]);
    }
  }
}

}  // namespace detail

/// The bytes of a block_with_memory that exchanges and scatters of `Items` values a thread of the types need, and so do
/// block_load and block_store.
template <int BlockSize, int Items, class... Values>
inline constexpr int block_exchange_bytes =
    detail::larger(0, 0, int(detail::scatter_tile<Values, BlockSize, Items>::bytes)...);

/// Makes blocked values striped: value `i` of rank `r` has been number `r * Items + i` of the block's values, and
/// becomes number `i * BlockSize + r`.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all;
///        its values take at most 48 KiB, or fit the memory of a block_with_memory.
/// @sync  two block barriers (none for one value a thread): it may be called twice in a row. Accesses to shared memory
///        before and after it are ordered, if a thread has more than one value.
/// @order the values are moved and not changed.
/// @cost  a store and a load of shared memory for each value, without bank conflicts; of neighbouring values up to 16
///        bytes at once. `BlockSize * Items * sizeof(T)` bytes of shared memory. Where a thread has several values that
///        take a power of two of bytes, at least 16, 4 more for each 128 bytes, or 8 or 16 for values of such words;
///        without these where they do not fit. All exchanges and scatters of as many bytes share them. A
///        block_with_memory has `block_exchange_bytes<BlockSize, Items, T>`, and no barrier is owed behind it.
/// @source cub::BlockExchange.
/// @example examples/library/80_exchange.cu
template <int BlockSize, class Block, class T, int Items>
__device__ __forceinline__ void block_blocked_to_striped(const Block& block, T (&values)[Items],
                                                         detail::call_site here = detail::call_site::current()) {
  detail::expects_exchange<BlockSize, T, Items>(block, here);
  if constexpr (Items > 1) {
    const auto tile = detail::make_block_tile<BlockSize, T, Items>(block);
    const unsigned rank = unsigned(block.thread_rank());
    tile.store_blocked(rank, values);
    block.sync();
    tile.load_striped(rank, values);
    block.sync();
  }
}

/// Makes striped values blocked: the inverse of block_blocked_to_striped, in all else like it.
template <int BlockSize, class Block, class T, int Items>
__device__ __forceinline__ void block_striped_to_blocked(const Block& block, T (&values)[Items],
                                                         detail::call_site here = detail::call_site::current()) {
  detail::expects_exchange<BlockSize, T, Items>(block, here);
  if constexpr (Items > 1) {
    const auto tile = detail::make_block_tile<BlockSize, T, Items>(block);
    const unsigned rank = unsigned(block.thread_rank());
    tile.store_striped(rank, values);
    block.sync();
    tile.load_blocked(rank, values);
    block.sync();
  }
}

/// Makes blocked values striped over each warp: value `i` of a lane has been number `lane * Items + i` of the warp's
/// values, and becomes number `i * 32 + lane`. Each warp keeps its values.
///
/// @pre   as block_blocked_to_striped; BlockSize is a multiple of 32.
/// @sync  two barriers of each warp, none of the block: it may be called twice in a row. A block_with_memory meets at
///        the end.
/// @order the values are moved and not changed.
/// @cost  as block_blocked_to_striped; the shared memory is another piece.
/// @source cub::BlockExchange.
/// @example examples/library/80_exchange.cu
template <int BlockSize, class Block, class T, int Items>
__device__ __forceinline__ void block_blocked_to_warp_striped(const Block& block, T (&values)[Items],
                                                              detail::call_site here = detail::call_site::current()) {
  detail::expects_exchange<BlockSize, T, Items>(block, here);
  const unsigned rank = unsigned(block.thread_rank()), lane = rank % warp_size;
  const auto tile = detail::make_warp_tile<BlockSize, T, Items>(block, rank);
  if constexpr (Items > 1) {
    tile.store_blocked(lane, values);
    __syncwarp();
    tile.load_striped(lane, values);
    detail::leave_warp_tile(block);
  }
}

/// Makes values that are striped over each warp blocked: the inverse of block_blocked_to_warp_striped, in all else like
/// it.
template <int BlockSize, class Block, class T, int Items>
__device__ __forceinline__ void block_warp_striped_to_blocked(const Block& block, T (&values)[Items],
                                                              detail::call_site here = detail::call_site::current()) {
  detail::expects_exchange<BlockSize, T, Items>(block, here);
  const unsigned rank = unsigned(block.thread_rank()), lane = rank % warp_size;
  const auto tile = detail::make_warp_tile<BlockSize, T, Items>(block, rank);
  if constexpr (Items > 1) {
    tile.store_striped(lane, values);
    __syncwarp();
    tile.load_blocked(lane, values);
    detail::leave_warp_tile(block);
  }
}

/// Moves each value of a block to the position that its rank names, among blocked values: number `r * Items + i` is
/// value `i` of rank `r`.
///
/// @pre   as block_blocked_to_striped. No two ranks are equal, and each is below `BlockSize * Items`. Values with a
///        negative rank are dropped; ranks of an unsigned type save that comparison.
/// @sync  two block barriers: it may be called twice in a row. Accesses to shared memory before and after it are
///        ordered.
/// @order the values are moved and not changed. Values of positions that no rank names are unspecified.
/// @cost  a store and a load of shared memory for each value. The loads have no bank conflicts; the stores have those
///        of the ranks, but few where these grow by `Items` from one thread to the next. Shared memory as
///        block_blocked_to_striped.
/// @source cub::BlockExchange.
/// @example examples/library/80_exchange.cu
template <int BlockSize, class Block, class T, int Items, class Rank>
__device__ __forceinline__ void block_scatter_to_blocked(const Block& block, T (&values)[Items],
                                                         const Rank (&ranks)[Items],
                                                         detail::call_site here = detail::call_site::current()) {
  detail::expects_exchange<BlockSize, T, Items>(block, here);
  const auto tile = detail::make_scatter_tile<BlockSize, T, Items>(block);
  detail::store_at_ranks<BlockSize * Items>(tile, values, ranks, here);
  block.sync();
  tile.load_blocked(unsigned(block.thread_rank()), values);
  block.sync();
}

/// Moves each value of a block to the position that its rank names, among striped values: number `i * BlockSize + r` is
/// value `i` of rank `r`. In all else like block_scatter_to_blocked.
template <int BlockSize, class Block, class T, int Items, class Rank>
__device__ __forceinline__ void block_scatter_to_striped(const Block& block, T (&values)[Items],
                                                         const Rank (&ranks)[Items],
                                                         detail::call_site here = detail::call_site::current()) {
  detail::expects_exchange<BlockSize, T, Items>(block, here);
  const auto tile = detail::make_scatter_tile<BlockSize, T, Items>(block);
  detail::store_at_ranks<BlockSize * Items>(tile, values, ranks, here);
  block.sync();
  tile.load_striped(unsigned(block.thread_rank()), values);
  block.sync();
}

}  // namespace gpuprim
