// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_exchange.cuh>
#include <gpuprim/core/iterators.hpp>

namespace gpuprim::inline v0_1_0 {

/// The way of a tile of elements between memory and the threads of a block, each of which has `Items` neighbouring ones.
enum class tile_transfer {
  direct,          ///< Each thread accesses its own elements one by one. Not coalesced, no shared memory.
  striped,         ///< Coalesced, and the thread's elements are not neighbours but stay striped.
  vectorised,      ///< Each thread accesses its elements by the widest words that divide them, up to 16 bytes.
  transposed,      ///< Coalesced, striped over the block, and exchanged through shared memory.
  warp_transposed  ///< Coalesced, striped over each warp, and exchanged through shared memory.
};

namespace detail {

template <int BlockSize, tile_transfer Way, class T, int Items, class Block>
__device__ __forceinline__ void expects_transfer([[maybe_unused]] const Block& block, [[maybe_unused]] int valid_count,
                                                 [[maybe_unused]] call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_load: the group must be a thread block");
  static_assert(BlockSize >= 1 && BlockSize <= max_block_size, "gpuprim::block_load: BlockSize must be from 1 to 1024");
  static_assert(element<T>, "gpuprim::block_load: the element type must be trivially copyable and assignable");
  static_assert(Way != tile_transfer::warp_transposed || BlockSize % warp_size == 0,
                "gpuprim::block_load: to be striped over warps, BlockSize must be a multiple of 32");
  expects(block.size() == BlockSize,
          "gpuprim::block_load: the block was not launched with BlockSize threads: it has %lld, BlockSize is %lld",
          here, block.size(), BlockSize);
  expects(valid_count >= 0, "gpuprim::block_load: valid_count must not be negative: it is %lld", here, valid_count);
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

/// The words of a thread's neighbouring elements, where they all count and memory is aligned to such words.
template <class T, int Items>
struct element_words : widest_words<Items * int(sizeof(T))> {
  template <class It>
  static constexpr bool may_move = std::is_same_v<std::remove_const_t<std::remove_pointer_t<It>>, T>;

  __device__ static bool can_move(const T* memory, int rank, int valid_count) {
    return reinterpret_cast<std::uintptr_t>(memory) % element_words::word_bytes == 0 &&
           detail::is_valid(rank * Items + Items - 1, valid_count);
  }
};

template <int BlockSize, tile_transfer Way, class Block, class In, class T, int Items>
__device__ __forceinline__ void block_load(const Block& block, const In& in, T (&values)[Items], int valid_count,
                                           const T* fill, call_site here) {
  detail::expects_transfer<BlockSize, Way, T, Items>(block, valid_count, here);
  static_assert(random_access_input<In>,
                "gpuprim::block_load: the input must be a pointer or a random-access iterator");
  const int rank = int(block.thread_rank());
  const auto from = detail::unwrap_contiguous(in);
  if constexpr (Way == tile_transfer::vectorised) {
    using words = element_words<T, Items>;
    if constexpr (words::template may_move<std::remove_cv_t<decltype(from)>>) {
      if (words::can_move(from, rank, valid_count)) {
        using word = typename words::type;
        const auto* first = reinterpret_cast<const word*>(from) + rank * words::count;
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
    if (detail::is_valid(position, valid_count)) values[i] = static_cast<T>(from[position]);
    else if (fill != nullptr) values[i] = *fill;
  }
  if constexpr (Way == tile_transfer::transposed) gpuprim::block_striped_to_blocked<BlockSize>(block, values, here);
  if constexpr (Way == tile_transfer::warp_transposed) {
    gpuprim::block_warp_striped_to_blocked<BlockSize>(block, values, here);
  }
}

}  // namespace detail

/// Loads a tile of `BlockSize * Items` elements: each thread gets `Items` neighbouring ones, rank 0 the first.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all. `in`
///        is a pointer or a random-access iterator at the first element of the tile. The element type of `in` converts
///        to T. Ways through shared memory have the preconditions of block_exchange.
/// @sync  none for `direct`, `striped` and `vectorised`; for `transposed` as block_striped_to_blocked and for
///        `warp_transposed` as block_warp_striped_to_blocked. It may be called twice in a row.
/// @order as in memory. After `striped`, value `i` of rank `r` is element `i * BlockSize + r`, else `r * Items + i`.
/// @cost  by `Way`: see tile_transfer. `vectorised` accesses elements one by one if `in` is no pointer to T, and in every
///        thread whose elements are not aligned to such words or are not all there.
/// @source cub::BlockLoad.
/// @example examples/80_exchange.cu
template <int BlockSize, tile_transfer Way = tile_transfer::transposed, class Block, class In, class T, int Items>
__device__ __forceinline__ void block_load(const Block& block, const In& in, T (&values)[Items],
                                           detail::call_site here = detail::call_site::current()) {
  detail::block_load<BlockSize, Way, Block, In, T>(block, in, values, detail::all_values, nullptr, here);
}

/// Loads the first `valid_count` elements of a tile, and no others. The other values are unspecified.
/// @pre 0 <= valid_count, where a count above the size of the tile is that of all.
template <int BlockSize, tile_transfer Way = tile_transfer::transposed, class Block, class In, class T, int Items>
__device__ __forceinline__ void block_load(const Block& block, const In& in, T (&values)[Items], int valid_count,
                                           detail::call_site here = detail::call_site::current()) {
  detail::block_load<BlockSize, Way, Block, In, T>(block, in, values, valid_count, nullptr, here);
}

/// Loads the first `valid_count` elements of a tile, and no others. The other values become `fill`.
template <int BlockSize, tile_transfer Way = tile_transfer::transposed, class Block, class In, class T, int Items>
__device__ __forceinline__ void block_load(const Block& block, const In& in, T (&values)[Items], int valid_count,
                                           const std::type_identity_t<T>& fill,
                                           detail::call_site here = detail::call_site::current()) {
  detail::block_load<BlockSize, Way>(block, in, values, valid_count, &fill, here);
}

/// Stores a tile of `BlockSize * Items` elements, of which each thread has `Items` neighbouring ones, rank 0 the first.
/// With a count, stores the first `valid_count` elements of the tile, and no others.
///
/// @pre   as block_load, where `out` takes values of type T.
/// @sync  as block_load, for `transposed` and `warp_transposed` the inverse exchanges.
/// @order as in memory. With `striped`, value `i` of rank `r` is element `i * BlockSize + r`, else `r * Items + i`.
/// @cost  as block_load.
/// @source cub::BlockStore.
/// @example examples/80_exchange.cu
template <int BlockSize, tile_transfer Way = tile_transfer::transposed, class Block, class T, int Items, class Out>
__device__ __forceinline__ void block_store(const Block& block, const T (&values)[Items], const Out& out,
                                            int valid_count = detail::all_values,
                                            detail::call_site here = detail::call_site::current()) {
  detail::expects_transfer<BlockSize, Way, T, Items>(block, valid_count, here);
  static_assert(outputs_for<Out, T>, "gpuprim::block_store: the output must take values of the element type");
  const int rank = int(block.thread_rank());
  const auto to = detail::unwrap_contiguous(out);
  uninitialized_array<T, Items> moved;
  std::memcpy(static_cast<void*>(&moved), values, sizeof moved);
  if constexpr (Way == tile_transfer::vectorised) {
    using words = detail::element_words<T, Items>;
    if constexpr (words::template may_move<std::remove_cv_t<decltype(to)>>) {
      if (words::can_move(to, rank, valid_count)) {
        using word = typename words::type;
        word stored[words::count];
        std::memcpy(stored, values, sizeof stored);
#pragma unroll
        for (int w = 0; w < words::count; ++w) reinterpret_cast<word*>(to)[rank * words::count + w] = stored[w];
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
    if (detail::is_valid(position, valid_count)) to[position] = moved[i];
  }
}

}  // namespace gpuprim
