// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// The order in which the blocks of a launch take tiles, and the clearing of what they share about them. A tile is
/// handed out by a ticket, so that the tiles before it are being worked on or done: a block may wait for those, even
/// where not all blocks are resident.
///
/// Shared state is zero before a launch and after it. It is cleared in rows of tiles, each by the block that is the
/// last to have no more use for the row, so that no block clears for all, but for what is left when the last one
/// leaves.
///
///   int row = 0;                                 // every thread: the first row that the block has not left
///   ... tile = order.take() by one thread, until it is order.tiles or more ...
///   order.leave_before(row, tile, clear);        // the block reads nothing of the tiles before `tile` any more
///   order.leave_all(row, clear, clear_rest);     // the block reads nothing any more
template <int RowTiles = 8192>
struct tile_order {
  /// Tiles that are cleared at once. A longer row is left less often, which takes a round trip; a shorter one leaves
  /// less to the last block.
  static constexpr int row_tiles = RowTiles;
  static_assert(row_tiles % warp_size == 0, "a group of neighbours lies in one row");
  static constexpr std::int64_t most_tiles = std::int64_t{1} << 30;

  unsigned* next;  ///< the tile to be handed out
  unsigned* left;  ///< of each row, how many blocks have left it
  int tiles;

  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_rows(std::int64_t tiles) {
    return (tiles + row_tiles - 1) / row_tiles;
  }
  static constexpr std::int64_t bytes(std::int64_t tiles) { return (count_rows(tiles) + 1 + 15) / 16 * 64; }
  /// @pre `buffer`: aligned to 64 bytes.
  static tile_order lay_over(void* buffer, std::int64_t tiles) {
    auto* const words = static_cast<unsigned*>(buffer);
    return {words, words + 1, int(tiles)};
  }

  /// Draws a ticket; there is no such tile where it is `tiles` or more. One thread calls it, and waits for the draw
  /// only where it uses the result.
  __device__ int take() const { return int(ptx::count_one_relaxed(next)); }

  /// Says that the block reads nothing of tiles before `tile` any more. All threads call it, `tile` is the same in all.
  /// `clear(first, end)` clears what belongs to these tiles; a whole block calls it.
  template <class Clear>
  __device__ void leave_before(int& row, int tile, const Clear& clear) const {
    const int end = tile / row_tiles;
    for (; row < end; ++row) {
      if (is_last_to_leave(row)) clear(row * row_tiles, (row + 1) * row_tiles);
    }
  }
  /// Says that the block reads nothing any more. `clear_rest()` is called once all blocks have said so.
  template <class Clear, class ClearRest>
  __device__ void leave_all(int& row, const Clear& clear, const ClearRest& clear_rest) const {
    const int last = int(count_rows(tiles)) - 1;
    leave_before(row, last * row_tiles, clear);
    if (!is_last_to_leave(last)) return;
    clear(last * row_tiles, tiles);
    clear_rest();
    if (this_block::thread_rank() == 0) *next = 0;
  }

 private:
  /// The first barrier keeps the block's own reads before it leaves, and the second whoever clears behind the reads of
  /// all blocks. The count goes back to zero with the last block.
  __device__ bool is_last_to_leave(int row) const {
    this_block::sync();
    bool is_last = false;
    if (this_block::thread_rank() == 0) is_last = ptx::arrive_in_order(&left[row], gridDim.x - 1) == gridDim.x - 1;
    return this_block::any(is_last);
  }
};

}  // namespace gpuprim::detail
