// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_kernel.cuh>
#include <gpuprim/device/tiles/tile_launches.cuh>
#include <gpuprim/policy/run_policy.hpp>

namespace gpuprim::inline v0_2_0::detail {

/// The launch shapes of a pass over runs, and the choice among them. `Contents`: what run_values and run_lengths have
/// of types that are mailed.
template <run_policies Policies, class Key, class Contents>
struct run_launches : tile_launches<run_launches<Policies, Key, Contents>> {
  static constexpr int key_bytes = int(sizeof(Key)), content_bytes = Contents::item_bytes;
  static constexpr int widest = larger(key_bytes, content_bytes);
  using mail = tile_mail<typename Contents::mail>;
  using look_back = run_look_back<typename Contents::carry>;

  static constexpr int find_items(run_policy policy) { return larger(policy.lane_bytes / larger(widest, 4), 1); }
  static constexpr int tile_bytes(int threads, int items, int stages) {
    return threads * items * (stages * (key_bytes + content_bytes) + int(sizeof(std::uint16_t)));
  }
  static constexpr int find_block_size(run_policy policy, int stages) {
    int size = policy.block_size;
    while (size > warp_size && tile_bytes(size, find_items(policy), stages) > run_tile_bytes) {
      size = size / 2 / warp_size * warp_size;
    }
    return size;
  }
  static constexpr int find_blocks(run_policy policy, int stages) {
    return find_block_size(policy, stages) < policy.block_size || widest > 8 ? 1 : policy.blocks_per_multiprocessor;
  }
  template <run_policy Policy, int Stages>
  using shape = tile_shape<find_block_size(Policy, Stages), find_items(Policy), Stages, find_blocks(Policy, Stages),
                           find_items(Policy) * (key_bytes + content_bytes)>;
  using least = shape<Policies.least, 1>;
  using modest = shape<Policies.modest, 1>;
  using medium = shape<Policies.medium, 1>;
  using large = shape<Policies.large, 2>;
  static_assert(tile_bytes(large::block_size, large::items, 2) <= run_tile_bytes,
                "gpuprim::reduce_by_key: keys, values and accumulators are too long");
  template <class Shape, std::int64_t Limit>
  using one_tile = tile_launch<Shape, (Policies.least.block_size > 0 ? Limit : -1)>;
  using list = launch_list<tile_launch<large, 0>, one_tile<least, 1>, one_tile<modest, 1>, one_tile<medium, 1>,
                           one_tile<least, mail::most_tiles>, one_tile<modest, mail::most_tiles>,
                           one_tile<medium, mail::most_tiles>>;

  /// A boundary behind the keys takes a place too.
  template <class Shape>
  static constexpr std::int64_t count_tiles(std::int64_t n) {
    return Shape::count_tiles((n < 0 ? 0 : n) + 1);
  }
  template <class Shape, class Pass>
  static bool try_shape(found_tiles<Pass, mail, look_back>& found) {
    constexpr int shared_bytes = int(sizeof(typename run_worker<Shape, Pass>::shared_type));
    const std::int64_t tiles = count_tiles<Shape>(found.pass.n);
    if constexpr (Shape::stages > 1) {
      return found.template try_kernel<&run_kernel<Shape, Pass>, Shape, shared_bytes, 0>(tiles);
    } else if constexpr (requires { found.pass.count; }) {
      return false;  // a kernel reads it
    } else {
      return found.template try_kernel<&run_few_kernel<Shape, Pass>, Shape, shared_bytes, 1, Shape::blocks>(tiles);
    }
  }
};

}  // namespace gpuprim::detail
