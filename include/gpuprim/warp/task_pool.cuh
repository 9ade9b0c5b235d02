// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/warp_compact.cuh>

namespace gpuprim::inline v0_2_0 {

/// Numbers of tasks, 0 to `tasks` - 1, that the lanes or tiles of a kernel take when they are idle, each number once.
/// A kernel has it by value, and each thread uses its own copy. `*taken` is in device memory, and 0 before the launch.
///
/// Forward progress: no call waits for another tile or block. A call ends after one atomic operation, and a tile that
/// finds no task may end. So a grid may have any size, and blocks that start late take what is left.
struct task_pool {
  static constexpr std::int64_t none = -1;  ///< what `next` returns if no task is left

  unsigned long long* taken;  ///< how many tasks have been handed out
  std::int64_t tasks;         ///< how many there are
  bool is_empty = false;      ///< the calling thread has seen that no task is left, and asks no more

  /// Gives each idle lane of a tile a task.
  ///
  /// @pre   All lanes of `tile`, which has 1 to 32, or of a coalesced group, call it.
  /// @sync  the lanes of the tile meet in a vote and a shuffle; memory is not ordered.
  /// @order which lane takes which task is left to chance; those that a tile takes at once follow the ranks.
  /// @cost  one vote, and one atomic operation for all idle lanes of the tile; only the vote where no lane is idle or
  ///        the idle ones have seen that no task is left.
  /// @return the number of a task, or `none` for a lane that is not idle, and where no task is left.
  /// @source Aila and Laine, "Understanding the efficiency of ray traversal on GPUs", 2009.
  /// @example examples/course/15_04_task_reload.cu
  template <class Tile>
  __device__ __forceinline__ std::int64_t next(const Tile& tile, bool is_idle) {
    static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                  "gpuprim::task_pool: the group must be a tile of at most 32 lanes or a coalesced group");
    const bool asks = is_idle && !is_empty;
    const auto [place, count] = gpuprim::warp_rank(tile, asks);
    if (count == 0) return none;
    const std::int64_t first = detail::take_numbers(tile, taken, count - place);
    is_empty = first + count >= tasks;
    return asks && first + place < tasks ? first + place : none;
  }

  /// Gives a tile a task, which all of its lanes work on.
  ///
  /// @return the number of a task, the same in all lanes, or `none` where no task is left.
  template <class Tile>
  __device__ __forceinline__ std::int64_t next(const Tile& tile) {
    static_assert(tile_like<Tile> && static_tile_size<Tile> <= warp_size,
                  "gpuprim::task_pool: the group must be a tile of at most 32 lanes or a coalesced group");
    const std::int64_t task = detail::take_numbers(tile, taken, 1);
    return task < tasks ? task : none;
  }
};

}  // namespace gpuprim
