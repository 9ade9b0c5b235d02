// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/select/select_kernel.cuh>
#include <gpuprim/device/tiles/tile_launches.cuh>
#include <gpuprim/policy/select_policy.hpp>
#include <gpuprim/policy/shared_memory.hpp>

#include <climits>

namespace gpuprim::inline v0_2_0::detail {

/// Shared memory that a block may have on every GPU for tiles and the lists of their places.
inline constexpr int most_select_bytes = shared_bytes_of_every_gpu - 2048;
/// Shared memory that a block may have on any GPU.
inline constexpr int most_large_select_bytes = 227 * 1024;

/// The launch shapes of a select, and the choice among them. `ItemBytes`: of an element or of the value that goes with
/// it, whichever has more. `Parts`: those that are counted.
template <select_policies Policies, int ElementBytes, int ItemBytes, int Parts>
struct select_launches : tile_launches<select_launches<Policies, ElementBytes, ItemBytes, Parts>> {
  using mail = tile_mail<part_counts<Parts>>;
  using look_back = select_look_back<Parts>;

  static constexpr int tile_bytes(int threads, int items, int stages) {
    return threads * items * (stages * ElementBytes + 2) + stages * 128;
  }
  /// As many as fit, and so many that lanes which read theirs together meet in no bank.
  static constexpr int find_items(select_policy policy) {
    const int most = policy.lane_bytes / ItemBytes < 64 ? policy.lane_bytes / ItemBytes : 64;
    for (int items = most; items > most * 2 / 3; --items) {
      if (items * ElementBytes % 32 == 16) return items;
    }
    for (int items = most; items > most / 2; --items) {
      if (items * ElementBytes % 4 == 0 && items * ElementBytes % 32 != 0) return items;
    }
    return most > 1 ? most : 1;
  }
  /// Fewer threads than the policy's where they would need more shared memory than `most_bytes`.
  static constexpr int find_block_size(select_policy policy, int stages, int most_bytes) {
    int size = policy.block_size;
    while (size > warp_size && tile_bytes(size, find_items(policy), stages) > most_bytes) size -= warp_size;
    return size;
  }
  template <select_policy Policy, int Stages, int MostBytes = most_select_bytes>
  using shape = tile_shape<find_block_size(Policy, Stages, MostBytes), find_items(Policy), Stages,
                           Policy.blocks_per_multiprocessor, find_items(Policy) * ItemBytes>;
  using least = shape<Policies.least, 1>;
  using few = shape<Policies.few, 1>;
  using medium = shape<Policies.medium, 3>;
  using large = shape<Policies.large, 3, INT_MAX>;

  static constexpr std::int64_t most_one_tiles(select_policy policy, std::int64_t most) {
    return policy.block_size > 0 && ItemBytes <= policy.lane_bytes ? most : -1;
  }
  static constexpr bool has_large = Policies.large.block_size > 0 &&
                                    tile_bytes(Policies.large.block_size, large::items, 3) <= most_large_select_bytes;
  static_assert(tile_bytes(warp_size, medium::items, 3) <= most_select_bytes,
                "gpuprim: the elements of a select are too long for the shared memory of a GPU");
  using list =
      launch_list<tile_launch<medium, 0>, tile_launch<least, most_one_tiles(Policies.least, Policies.most_least_tiles)>,
                  tile_launch<few, most_one_tiles(Policies.few, mail::most_tiles)>,
                  tile_launch<large, has_large ? Policies.least_large_bytes / ItemBytes : -1>>;

  /// What lies before the first line of memory may be one tile more.
  template <class Shape>
  static constexpr std::int64_t count_tiles(std::int64_t n) {
    return Shape::count_tiles(n) + (Shape::stages > 1 ? 1 : 0);
  }
  template <class Shape, class Pass>
  static bool try_shape(found_tiles<Pass, mail, look_back>& found) {
    constexpr int shared_bytes = int(sizeof(select_shared<Shape, Pass>));
    const std::int64_t n = found.pass.n.most();
    if constexpr (Shape::stages == 1) {
      return found.template try_kernel<&select_few_kernel<Shape, Pass>, Shape, shared_bytes, 1, Shape::blocks>(
          Shape::count_tiles(n));
    } else {
      found.pass.head = detail::count_head<Shape::tile_items>(found.pass.source.in, n);
      return found.template try_kernel<&select_kernel<Shape, Pass>, Shape, shared_bytes, 1, 2, 0>(
          found.pass.template count_tiles<Shape>(n));
    }
  }
};

}  // namespace gpuprim::detail
