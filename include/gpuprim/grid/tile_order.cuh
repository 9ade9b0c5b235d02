// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// The order in which the blocks of a launch take tiles, and the clearing of what they share about them. A tile is
/// handed out by a ticket, so that the tiles before it are being worked on or done: a block may wait for those, even
/// where not all blocks are resident. Shared state is zero before a launch, and the last block makes it zero again.
///
///   ... tile = order.take() by one thread, until there is no such tile ...
///   order.leave(clear);  // the block reads nothing of other blocks any more
struct tile_order {
  static constexpr std::int64_t most_tiles = std::int64_t{1} << 30, bytes = 64;
  static_assert(2 * most_tiles - 1 <= 0x7fffffff, "tickets are ints, and each block draws one behind the last tile");

  unsigned* next;  ///< the tile to be handed out
  unsigned* left;  ///< blocks that have left

  /// @pre `buffer`: aligned to 64 bytes.
  static tile_order lay_over(void* buffer) {
    auto* const words = static_cast<unsigned*>(buffer);
    return {words, words + 1};
  }

  /// Draws a ticket; the caller compares it with the number of tiles. One thread calls it, and waits for the draw only
  /// where it uses the result.
  __device__ int take() const { return int(ptx::count_one_relaxed(next)); }

  /// Says that the block reads nothing of other blocks any more. The last block that says so calls `clear()`, with all
  /// its threads. The first barrier keeps the block's own reads before it leaves, and the second whoever clears behind
  /// the reads of all blocks. The count goes back to zero with the last block.
  template <class Clear>
  __device__ void leave(const Clear& clear) const {
    this_block::sync();
    bool is_last = false;
    if (this_block::thread_rank() == 0) is_last = ptx::arrive_in_order(left, gridDim.x - 1) == gridDim.x - 1;
    if (!this_block::any(is_last)) return;
    clear();
    if (this_block::thread_rank() == 0) *next = 0;
  }
};

/// All that the blocks of a launch share about tiles that they take in order, one behind the other in memory. States:
/// what each of them has for its tiles, in a multiple of 8 bytes.
template <class... States>
struct tile_look_back {
  static constexpr std::int64_t most_tiles = tile_order::most_tiles;

  tile_order order;
  tuple<States...> states;
  int tiles;

  static constexpr std::int64_t bytes(std::int64_t tiles) { return (tile_order::bytes + ... + States::bytes(tiles)); }
  static tile_look_back lay_over(void* buffer, std::int64_t tiles) {
    char* at = static_cast<char*>(buffer) + tile_order::bytes;
    const auto next = [&](std::int64_t size) { return static_cast<void*>((at += size) - size); };
    return {tile_order::lay_over(buffer), {States::lay_over(next(States::bytes(tiles)), tiles)...}, int(tiles)};
  }

  /// The block works on no tile any more; the last one clears what all have shared.
  __device__ void leave() const {
    order.leave([&] {
      [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (get<Index>(states).clear(tiles), ...);
      }(std::index_sequence_for<States...>{});
    });
  }
};

}  // namespace gpuprim::detail
