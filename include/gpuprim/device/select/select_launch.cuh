// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/select/select_few_kernel.cuh>
#include <gpuprim/device/select/select_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/policy/select_policy.hpp>

#include <climits>

namespace gpuprim::inline v0_2_0::detail {

/// Shared memory that a block may have on every GPU for tiles and the lists of their places.
inline constexpr int most_select_bytes = 62 * 1024;
/// Shared memory that a block may have on any GPU.
inline constexpr int most_large_select_bytes = 227 * 1024;

/// One launch shape of a select: its kernel, its workspace and its launch. `ItemBytes`: of an element or of the value
/// that goes with it, whichever has more. `Parts`: those that are counted. `MostBytes`: shared memory that a block may
/// take, with fewer threads if the policy's would need more.
template <select_policy Policy, block_tiles Tiles, int ElementBytes, int ItemBytes, int Parts, int MostBytes>
struct select_launch {
  static constexpr int stages = Tiles == block_tiles::one ? 1 : 3;
  /// As many as fit, and so many that lanes which read theirs together meet in no bank.
  static constexpr int find_items() {
    const int most = Policy.lane_bytes / ItemBytes < 64 ? Policy.lane_bytes / ItemBytes : 64;
    for (int items = most; items > most * 2 / 3; --items) {
      if (items * ElementBytes % 32 == 16) return items;
    }
    for (int items = most; items > most / 2; --items) {
      if (items * ElementBytes % 4 == 0 && items * ElementBytes % 32 != 0) return items;
    }
    return most > 1 ? most : 1;
  }
  static constexpr int items = find_items(), thread_bytes = items * ItemBytes;
  static constexpr int tile_bytes(int size) { return size * items * (stages * ElementBytes + 2) + stages * 128; }
  static constexpr int find_block_size() {
    int size = Policy.block_size;
    while (size > warp_size && tile_bytes(size) > MostBytes) size -= warp_size;
    return size;
  }
  using shape = select_shape<find_block_size(), items, stages>;
  using meeting = std::conditional_t<Tiles == block_tiles::one, tile_mail<part_counts<Parts>>,
                                     select_look_back<Parts>>;
  static constexpr int blocks = Policy.blocks_per_multiprocessor;

  static constexpr std::int64_t count_tiles(std::int64_t n) {
    return n / shape::tile_items + (n % shape::tile_items != 0 ? 1 : 0);
  }
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    // What lies before the first line of memory may be one tile more.
    const std::int64_t tiles = count_tiles(n < 0 ? 0 : n) + (Tiles == block_tiles::many ? 1 : 0);
    return meeting::bytes(tiles < meeting::most_tiles ? tiles : meeting::most_tiles);
  }

  template <class Pass>
  static constexpr auto find_kernel() {
    if constexpr (Tiles == block_tiles::one) return &select_few_kernel<Pass, blocks>;
    else return &select_kernel<Pass, blocks>;
  }
  /// `does_not_fit`: a multiprocessor has too little shared memory, or more tiles would have to be there at once than
  /// can.
  template <class Pass>
  static found_shape find_shape(const Pass& pass) {
    constexpr int shared_bytes = int(sizeof(select_shared<Pass>));
    constexpr auto kernel = find_kernel<Pass>();
    const int tiles = pass.count_tiles(pass.n.most());
    if constexpr (Tiles == block_tiles::one) {
      auto found = detail::find_spread_shape<kernel, shared_bytes, 1, blocks>(tiles, shape::block_size);
      if (found.error == cudaSuccess && tiles > found.grid.grid_size) found.error = does_not_fit;
      return found;
    } else {
      return detail::find_spread_shape<kernel, shared_bytes, 1, 2, 0>(tiles, shape::block_size);
    }
  }

  template <class Pass>
  static outcome run(const Pass& pass, const found_shape& found, const options& how) {
    const std::int64_t tiles = pass.count_tiles(pass.n.most());
    const auto launch_with = [&](const meeting& shared_tiles) {
      return gpuprim::launch(found.when, find_kernel<Pass>(), found.grid, how, pass, shared_tiles);
    };
    if (Tiles == block_tiles::one && tiles <= 1) return {launch_with(meeting{})};
    memory_lease lease(meeting::bytes(tiles), how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(meeting::lay_over(lease.zeroed(), tiles)));
  }
};

/// The launch shapes of a select, and the choice among them.
template <select_policies Policies, int ElementBytes, int ItemBytes, int Parts>
struct select_launches {
  using least = select_launch<Policies.least, block_tiles::one, ElementBytes, ItemBytes, Parts, most_select_bytes>;
  using few = select_launch<Policies.few, block_tiles::one, ElementBytes, ItemBytes, Parts, most_select_bytes>;
  using medium = select_launch<Policies.medium, block_tiles::many, ElementBytes, ItemBytes, Parts, most_select_bytes>;
  using large = select_launch<Policies.large, block_tiles::many, ElementBytes, ItemBytes, Parts, INT_MAX>;
  static constexpr bool has_least = Policies.least.block_size > 0 && ItemBytes <= Policies.least.lane_bytes;
  static constexpr bool has_few = Policies.few.block_size > 0 && ItemBytes <= Policies.few.lane_bytes;
  static constexpr bool has_large = Policies.large.block_size > 0 &&
                                    large::tile_bytes(Policies.large.block_size) <= most_large_select_bytes;
  static_assert(medium::tile_bytes(warp_size) <= most_select_bytes,
                "gpuprim: the elements of a select are too long for the shared memory of a GPU");

  /// What is enough for a count is enough for smaller ones too.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    std::int64_t bytes = medium::workspace_bytes(n);
    const auto cover = [&](std::int64_t other) { bytes = bytes < other ? other : bytes; };
    if constexpr (has_large) cover(large::workspace_bytes(n));
    if constexpr (has_few) cover(few::workspace_bytes(n));
    if constexpr (has_least) cover(least::workspace_bytes(n));
    return bytes;
  }

  /// Calls `go(launch, pass, found)` with the launch for the count and GPU; `pass_of(shape, head)` makes the pass, in
  /// which so many elements lie before the first line of memory. `in`: what is read.
  template <class In, class PassOf, class Go>
  static outcome choose(const In& in, const element_count& count, const PassOf& pass_of, const Go& go) {
    const std::int64_t n = count.most();
    // What lies before the first line of memory may be one tile more.
    if (medium::count_tiles(n) + 1 > tile_order::most_tiles) return {cudaErrorInvalidValue, "the count is too large"};
    outcome done;
    const bool is_known = n == 0 || !count.is_in_device_memory();
    if constexpr (has_least) {
      const bool is_least = is_known && least::count_tiles(n) <= Policies.most_least_tiles;
      if (is_least && try_launch<least>(pass_of(typename least::shape{}, 0), go, done)) return done;
    }
    if constexpr (has_few) {
      const bool is_few = is_known && few::count_tiles(n) <= few::meeting::most_tiles;
      if (is_few && try_launch<few>(pass_of(typename few::shape{}, 0), go, done)) return done;
    }
    if constexpr (has_large) {
      const int head = detail::count_head<large::shape::tile_items>(in, n);
      const bool is_large = n >= Policies.least_large_bytes / ItemBytes;
      if (is_large && try_launch<large>(pass_of(typename large::shape{}, head), go, done)) return done;
    }
    const int head = detail::count_head<medium::shape::tile_items>(in, n);
    (void)try_launch<medium>(pass_of(typename medium::shape{}, head), go, done);
    return done;
  }

 private:
  /// False if the shape does not fit.
  template <class Launch, class Pass, class Go>
  static bool try_launch(const Pass& pass, const Go& go, outcome& done) {
    const found_shape found = Launch::find_shape(pass);
    done = found.error != cudaSuccess ? outcome{found.error} : go(Launch{}, pass, found);
    return found.error != does_not_fit;
  }
};

}  // namespace gpuprim::detail
