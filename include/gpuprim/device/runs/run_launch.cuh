// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_few_kernel.cuh>
#include <gpuprim/device/runs/run_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>

#include <initializer_list>

namespace gpuprim::inline v0_2_0::detail {

/// One launch shape of a pass: its kernel, its workspace, and when it is taken. `Contents`: what run_values and
/// run_lengths have of types that are mailed.
template <run_policy Policy, block_tiles Tiles, class Key, class Contents>
struct run_launch {
  static constexpr int key_bytes = int(sizeof(Key)), content_bytes = Contents::item_bytes;
  static constexpr int widest = larger(key_bytes, content_bytes);
  static constexpr int items = larger(Policy.lane_bytes / larger(widest, 4), 1);
  static constexpr int thread_bytes = items * (key_bytes + content_bytes);
  static constexpr bool is_large = Tiles == block_tiles::many;

  static constexpr int tile_bytes(int size) {
    return size * items * ((is_large ? 2 : 1) * (key_bytes + content_bytes) + int(sizeof(std::uint16_t)));
  }
  static constexpr int find_block_size() {
    int size = Policy.block_size;
    while (size > warp_size && tile_bytes(size) > run_tile_bytes) size = size / 2 / warp_size * warp_size;
    return size;
  }
  static constexpr int block_size = find_block_size();
  static constexpr int blocks_per_multiprocessor =
      block_size < Policy.block_size || widest > 8 ? 1 : Policy.blocks_per_multiprocessor;
  static_assert(tile_bytes(block_size) <= run_tile_bytes,
                "gpuprim::reduce_by_key: keys, values and accumulators are too long");

  using shape = run_shape<block_size, items, Tiles>;
  using meeting = std::conditional_t<is_large, run_look_back<typename Contents::carry>,
                                     tile_mail<typename Contents::mail>>;

  static constexpr std::int64_t count_tiles(std::int64_t n) { return count_run_tiles<shape>(n); }
  /// For counts that it takes.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    const std::int64_t tiles = count_tiles(n < 0 ? 0 : n);
    return meeting::bytes(tiles < meeting::most_tiles ? tiles : meeting::most_tiles);
  }

  template <class Pass>
  static constexpr auto find_kernel() {
    if constexpr (is_large) return &run_kernel<Pass, blocks_per_multiprocessor>;
    else return &run_few_kernel<Pass, blocks_per_multiprocessor>;
  }

  /// With one tile a block, all tiles are on the GPU at once: one a multiprocessor, if that is enough.
  template <class Pass>
  static found_shape find_shape(std::int64_t n) {
    constexpr auto kernel = find_kernel<Pass>();
    constexpr int shared_bytes = int(sizeof(typename Pass::shared_type));
    static_assert(shared_bytes <= run_shared_bytes || Policy.block_size > block_size,
                  "gpuprim::reduce_by_key: a tile needs more shared memory than every GPU has");
    const std::int64_t tiles = count_tiles(n);
    if constexpr (is_large) {
      if (tiles > meeting::most_tiles) return {.error = cudaErrorInvalidValue};
      return detail::find_shape<kernel, 0, shared_bytes>(tiles, block_size);
    } else {
      return detail::find_spread_shape<kernel, shared_bytes, 1, blocks_per_multiprocessor>(tiles, block_size);
    }
  }

  template <class Pass>
  static outcome run(const Pass& pass, const found_shape& found, const options& how) {
    const std::int64_t tiles = count_tiles(pass.n);
    const auto launch_with = [&](const meeting& shared_tiles) {
      return gpuprim::launch(found.when, find_kernel<Pass>(), found.grid, how, pass, shared_tiles);
    };
    if (!is_large && tiles == 1) return {launch_with(meeting{})};
    memory_lease lease(meeting::bytes(tiles), how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(meeting::lay_over(lease.zeroed(), tiles)));
  }
};

/// The launch shapes of a pass, and the choice among them.
template <run_policies Policies, class Key, class Contents>
struct run_launches {
  using least = run_launch<Policies.least, block_tiles::one, Key, Contents>;
  using modest = run_launch<Policies.modest, block_tiles::one, Key, Contents>;
  using medium = run_launch<Policies.medium, block_tiles::one, Key, Contents>;
  using large = run_launch<Policies.large, block_tiles::many, Key, Contents>;
  static constexpr bool has_one_tile = Policies.least.block_size > 0;

  /// What is enough for a count is enough for smaller ones too.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    std::int64_t bytes = large::workspace_bytes(n);
    if constexpr (has_one_tile) {
      for (std::int64_t other : {least::workspace_bytes(n), modest::workspace_bytes(n), medium::workspace_bytes(n)}) {
        if (bytes < other) bytes = other;
      }
    }
    return bytes;
  }

  /// Calls `go(launch, pass, found)` with the launch for the count and GPU; `pass_of(shape)` makes the pass. A count
  /// that the host does not know is not for one tile a block, because others would wait for blocks without a tile.
  template <class Count, class PassOf, class Go>
  static outcome choose(const Count& count, const PassOf& pass_of, const Go& go) {
    const std::int64_t n = detail::most_of(count);
    if constexpr (has_one_tile && !std::is_same_v<Count, element_count>) {
      outcome done;
      const auto try_tiles = [&](std::int64_t most) {
        return try_at_once<least>(n, most, pass_of, go, done) || try_at_once<modest>(n, most, pass_of, go, done) ||
               try_at_once<medium>(n, most, pass_of, go, done);
      };
      if (try_tiles(1) || try_tiles(max_grid_blocks)) return done;
    }
    const auto pass = detail::with_count(pass_of(typename large::shape{}), count);
    const found_shape found = large::template find_shape<std::remove_const_t<decltype(pass)>>(n);
    if (found.error == cudaErrorInvalidValue) return {found.error, "the count is too large: more than 2^30 tiles"};
    return found.error != cudaSuccess ? outcome{found.error} : go(large{}, pass, found);
  }

 private:
  /// False if there are more tiles than `most`, or than the GPU holds at once.
  template <class Launch, class PassOf, class Go>
  static bool try_at_once(std::int64_t n, std::int64_t most, const PassOf& pass_of, const Go& go, outcome& done) {
    const std::int64_t tiles = Launch::count_tiles(n);
    if (tiles > most || tiles > Launch::meeting::most_tiles) return false;
    const auto pass = pass_of(typename Launch::shape{});
    const found_shape found = Launch::template find_shape<std::remove_const_t<decltype(pass)>>(n);
    if (found.error == cudaSuccess && tiles > found.grid.grid_size) return false;
    done = found.error != cudaSuccess ? outcome{found.error} : go(Launch{}, pass, found);
    return true;
  }
};

}  // namespace gpuprim::detail
