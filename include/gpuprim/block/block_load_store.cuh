// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_exchange.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/iterators.hpp>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0 {

/// The way of a tile of elements between memory and the threads of a block, each of which has `Items` neighbouring
/// ones.
enum class tile_transfer {
  direct,          ///< Each thread accesses its own elements one by one. Not coalesced, no shared memory.
  striped,         ///< Coalesced, and the thread's elements are not neighbours but stay striped.
  vectorised,      ///< Each thread accesses its elements by the widest words that divide them, up to 16 bytes.
  transposed,      ///< Coalesced, striped over the block, and exchanged through shared memory.
  warp_transposed  ///< Coalesced, striped over each warp, and exchanged through shared memory.
};

namespace detail {

template <int BlockSize, tile_transfer Way, class T, int Items, class Block>
__device__ __forceinline__ void expects_transfer([[maybe_unused]] const Block& block, [[maybe_unused]] call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_load: the group must be a thread block");
  static_assert(BlockSize >= 1 && BlockSize <= max_block_size, "gpuprim::block_load: BlockSize must be from 1 to 1024");
  static_assert(element<T>, "gpuprim::block_load: the element type must be trivially copyable and assignable");
  static_assert(Way != tile_transfer::warp_transposed || BlockSize % warp_size == 0,
                "gpuprim::block_load: to be striped over warps, BlockSize must be a multiple of 32");
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_load", here);
}

/// The number in the tile of a thread's value `i`, on its way from or to memory.
template <int BlockSize, tile_transfer Way, int Items>
__device__ __forceinline__ int find_position(int rank, int i) {
  if constexpr (Way == tile_transfer::striped || Way == tile_transfer::transposed) {
    return i * BlockSize + rank;
  } else if constexpr (Way == tile_transfer::warp_transposed) {
    return rank / warp_size * warp_size * Items + i * warp_size + rank % warp_size;
  } else {
    return rank * Items + i;
  }
}

/// The count of a tile that is whole, which takes no comparisons.
struct whole_tile {};

__device__ __forceinline__ constexpr bool has_position(whole_tile, int) { return true; }
__device__ __forceinline__ constexpr bool has_position(int valid_count, int position) { return position < valid_count; }

__device__ __forceinline__ void expects_count(whole_tile, call_site) {}
__device__ __forceinline__ void expects_count(int valid_count, call_site here) {
  expects(valid_count >= 0, "gpuprim::block_load: valid_count must not be negative: it is %lld", here, valid_count);
}

/// The words of a thread's neighbouring elements, where they all count and memory is aligned to such words.
template <class T, int Items>
struct element_words : widest_words<int(sizeof(T)) * Items> {
  template <class It>
  static constexpr bool may_move =
      std::is_pointer_v<It> && std::is_same_v<std::remove_const_t<std::remove_pointer_t<It>>, T>;

  template <class Count>
  __device__ static bool can_move(const T* memory, int rank, Count count) {
    return reinterpret_cast<std::uintptr_t>(memory) % element_words::word_bytes == 0 &&
           detail::has_position(count, rank * Items + Items - 1);
  }
};

template <int BlockSize, tile_transfer Way, class Block, class In, class T, int Items, class Count>
__device__ __forceinline__ void block_load(const Block& block, In in, T (&values)[Items], Count count, const T* fill,
                                           call_site here) {
  detail::expects_transfer<BlockSize, Way, T, Items>(block, here);
  detail::expects_count(count, here);
  static_assert(random_access_input<In>,
                "gpuprim::block_load: the input must be a pointer or a random-access iterator");
  const int rank = int(block.thread_rank());
  if constexpr (Way == tile_transfer::vectorised) {
    using words = element_words<T, Items>;
    if constexpr (words::template may_move<In>) {
      if (words::can_move(in, rank, count)) {
        using word = typename words::type;
        const auto* first = reinterpret_cast<const word*>(in) + rank * words::count;
        word loaded[words::count];
#pragma unroll
        for (int w = 0; w < words::count; ++w) loaded[w] = first[w];
        std::memcpy(static_cast<void*>(values), loaded, sizeof loaded);
        return;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int position = detail::find_position<BlockSize, Way, Items>(rank, i);
    if (detail::has_position(count, position)) values[i] = detail::convert<T>(in[position]);
    else if (fill != nullptr) values[i] = *fill;
  }
  if constexpr (Way == tile_transfer::transposed) gpuprim::block_striped_to_blocked<BlockSize>(block, values, here);
  if constexpr (Way == tile_transfer::warp_transposed) {
    gpuprim::block_warp_striped_to_blocked<BlockSize>(block, values, here);
  }
}

template <int BlockSize, tile_transfer Way, class Block, class T, int Items, class Out, class Count>
__device__ __forceinline__ void block_store(const Block& block, const T (&values)[Items], Out out, Count count,
                                            call_site here) {
  detail::expects_transfer<BlockSize, Way, T, Items>(block, here);
  detail::expects_count(count, here);
  static_assert(detail::takes_results<Out, T>, "gpuprim::block_store: the output must take values of the element type");
  const int rank = int(block.thread_rank());
  uninitialized_array<T, Items> moved;
  std::memcpy(static_cast<void*>(detail::pointer_to(moved)), values, sizeof moved);
  if constexpr (Way == tile_transfer::vectorised) {
    using words = element_words<T, Items>;
    if constexpr (words::template may_move<Out>) {
      if (words::can_move(out, rank, count)) {
        using word = typename words::type;
        word stored[words::count];
        std::memcpy(stored, values, sizeof stored);
#pragma unroll
        for (int w = 0; w < words::count; ++w) reinterpret_cast<word*>(out)[rank * words::count + w] = stored[w];
        return;
      }
    }
  }
  if constexpr (Way == tile_transfer::transposed) {
    gpuprim::block_blocked_to_striped<BlockSize>(block, moved.items, here);
  }
  if constexpr (Way == tile_transfer::warp_transposed) {
    gpuprim::block_blocked_to_warp_striped<BlockSize>(block, moved.items, here);
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int position = detail::find_position<BlockSize, Way, Items>(rank, i);
    if (detail::has_position(count, position)) detail::assign(out[position], moved[i]);
  }
}

}  // namespace detail

/// Loads a tile of `BlockSize * Items` elements: each thread gets `Items` neighbouring ones, rank 0 the first.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all.
///        `in` is a pointer or a random-access iterator at the first element of the tile. The element type of `in`
///        converts to T. Ways through shared memory have the preconditions of block_exchange. `valid_count` may be left
///        out; else it is an int, not negative: only that many of the first elements are loaded, and the other values
///        are unspecified.
/// @sync  none for `direct`, `striped` and `vectorised`; for `transposed` as block_striped_to_blocked and for
///        `warp_transposed` as block_warp_striped_to_blocked. It may be called twice in a row.
/// @order as in memory. After `striped`, value `i` of rank `r` is element `i * BlockSize + r`, else `r * Items + i`.
/// @cost  by `Way`: see tile_transfer. `vectorised` accesses elements one by one if `in` is no pointer to T, and in
///        every thread whose elements are not aligned to such words or are not all there.
/// @source cub::BlockLoad.
/// @example examples/library/80_exchange.cu
template <int BlockSize, tile_transfer Way = tile_transfer::transposed, class Block, class In, class T, int Items,
          class Count = detail::whole_tile>
__device__ __forceinline__ void block_load(const Block& block, In in, T (&values)[Items], Count valid_count = {},
                                           detail::call_site here = detail::call_site::current()) {
  detail::block_load<BlockSize, Way, Block, In, T>(block, in, values, valid_count, nullptr, here);
}

/// Loads the first `valid_count` elements of a tile, and no others. The other values become `fill`.
template <int BlockSize, tile_transfer Way = tile_transfer::transposed, class Block, class In, class T, int Items>
__device__ __forceinline__ void block_load(const Block& block, In in, T (&values)[Items], int valid_count,
                                           std::type_identity_t<T> fill,
                                           detail::call_site here = detail::call_site::current()) {
  detail::block_load<BlockSize, Way>(block, in, values, valid_count, detail::pointer_to(fill), here);
}

/// Stores a tile of `BlockSize * Items` elements, of which each thread has `Items` neighbouring ones, rank 0 the first.
///
/// @pre   as block_load, where `out` takes values of type T. Only the first `valid_count` are stored.
/// @sync  as block_load, for `transposed` and `warp_transposed` the inverse exchanges.
/// @order as in memory. With `striped`, value `i` of rank `r` is element `i * BlockSize + r`, else `r * Items + i`.
/// @cost  as block_load.
/// @source cub::BlockStore.
/// @example examples/library/80_exchange.cu
template <int BlockSize, tile_transfer Way = tile_transfer::transposed, class Block, class T, int Items, class Out,
          class Count = detail::whole_tile>
__device__ __forceinline__ void block_store(const Block& block, const T (&values)[Items], Out out,
                                            Count valid_count = {},
                                            detail::call_site here = detail::call_site::current()) {
  detail::block_store<BlockSize, Way>(block, values, out, valid_count, here);
}

}  // namespace gpuprim
