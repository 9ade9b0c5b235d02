// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_kernel.cuh>
#include <gpuprim/device/tiles/found_tiles.cuh>
#include <gpuprim/policy/run_policy.hpp>

namespace gpuprim::inline v0_2_0::detail {

/// The launch shapes of a pass over runs, and the choice among them. `Contents`: what run_values and run_lengths have
/// of types that are mailed.
template <run_policies Policies, class Key, class Contents>
struct run_launches {
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
  static constexpr bool has_one_tile = Policies.least.block_size > 0;
  static_assert(tile_bytes(large::block_size, large::items, 2) <= run_tile_bytes,
                "gpuprim::reduce_by_key: keys, values and accumulators are too long");

  /// What is enough for a count is enough for smaller ones too.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    std::int64_t bytes = detail::shared_tile_bytes<look_back>(count_tiles<large>(n));
    const auto cover = [&](std::int64_t tiles) {
      const std::int64_t other = detail::shared_tile_bytes<mail>(tiles);
      if (bytes < other) bytes = other;
    };
    if constexpr (has_one_tile) {
      cover(count_tiles<least>(n));
      cover(count_tiles<modest>(n));
      cover(count_tiles<medium>(n));
    }
    return bytes;
  }

  /// Chooses the launch for a count and a GPU. A count that the host does not know is not for one tile a block, because
  /// others would wait for blocks without a tile.
  template <class Pass>
  static found_tiles<Pass, mail, look_back> choose(const Pass& pass) {
    found_tiles<Pass, mail, look_back> found(pass);
    if constexpr (has_one_tile && !requires { pass.count; }) {
      for (const std::int64_t most : {std::int64_t{1}, mail::most_tiles}) {
        if (try_one<least>(found, most) || try_one<modest>(found, most) || try_one<medium>(found, most)) return found;
      }
    }
    const std::int64_t tiles = count_tiles<large>(pass.n);
    constexpr int shared_bytes = shared_size<large, Pass>;
    if (tiles > look_back::most_tiles) found.fault = too_many_tiles;
    else (void)found.template try_kernel<&run_kernel<large, Pass>, large, shared_bytes, 0>(tiles);
    return found;
  }

 private:
  /// A boundary behind the keys takes a place too.
  template <class Shape>
  static constexpr std::int64_t count_tiles(std::int64_t n) { return Shape::count_tiles((n < 0 ? 0 : n) + 1); }
  template <class Shape, class Pass>
  static constexpr int shared_size = int(sizeof(typename run_worker<Shape, Pass>::shared_type));

  template <class Shape, class Pass>
  static bool try_one(found_tiles<Pass, mail, look_back>& found, std::int64_t most) {
    constexpr int shared_bytes = shared_size<Shape, Pass>;
    const std::int64_t tiles = count_tiles<Shape>(found.pass.n);
    return tiles <= most && found.template try_kernel<&run_few_kernel<Shape, Pass>, Shape, shared_bytes, 1,
                                                      Shape::blocks>(tiles);
  }
};

}  // namespace gpuprim::detail
