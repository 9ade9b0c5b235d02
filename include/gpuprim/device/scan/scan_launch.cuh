// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/scan_few_kernel.cuh>
#include <gpuprim/device/scan/scan_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/policy/scan_policy.hpp>

namespace gpuprim::inline v0_2_0::detail {

/// Bytes that an element takes in shared memory, and of those the ones that a thread reads together with those of its
/// neighbouring elements.
struct scan_bytes {
  int all, longest;
};

/// Shared memory that three stages may have on every GPU.
inline constexpr int most_stage_bytes = 62 * 1024;

/// One launch shape of a scan: its kernel, its workspace and its launch.
template <scan_policy Policy, block_tiles Tiles, class Acc, scan_bytes Bytes>
struct scan_launch {
  /// As many as fit, but so that the lanes of a warp do not all begin in a few banks, and that short elements are read
  /// more than one at once.
  static constexpr int find_items() {
    int items = Policy.lane_bytes / Bytes.all;
    const auto is_bad = [](int count) {
      return (32 > Bytes.longest && count * Bytes.longest % 32 == 0) || (16 > Bytes.longest && count % 2 != 0);
    };
    while (items > 1 && is_bad(items)) --items;
    return items > 1 ? items : 1;
  }
  static constexpr int items = find_items(), thread_bytes = items * Bytes.all;
  /// Less than the policy's where stages of long elements would not fit a multiprocessor that is not among the largest.
  static constexpr int find_block_size() {
    int size = Policy.block_size;
    while (size > warp_size && items == 1 && scan_stages * size * Bytes.all > most_stage_bytes) size /= 2;
    return size;
  }
  using shape = scan_shape<find_block_size(), items>;
  static constexpr bool fits_every_gpu =
      scan_stages * shape::tile_items * Bytes.all <= most_stage_bytes || shape::block_size == warp_size;
  using mail = tile_mail<typename aggregate_mail<Acc>::type>;
  using meeting = std::conditional_t<Tiles == block_tiles::one, mail, scan_look_back<Acc>>;
  static constexpr int blocks = Policy.blocks_per_multiprocessor;

  static constexpr std::int64_t count_tiles(std::int64_t n) {
    return n / shape::tile_items + (n % shape::tile_items != 0 ? 1 : 0);
  }
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    const std::int64_t tiles = count_tiles(n < 0 ? 0 : n);
    return meeting::bytes(tiles < meeting::most_tiles ? tiles : meeting::most_tiles);
  }

  template <class Pass>
  static constexpr auto find_kernel() {
    if constexpr (Tiles == block_tiles::one) return &scan_few_kernel<Pass, blocks>;
    else return &scan_kernel<Pass, blocks>;
  }
  template <class Pass, int... MostBlocks>
  static found_shape find_spread_shape(int tiles) {
    constexpr int shared_bytes = Tiles == block_tiles::one ? 0 : int(sizeof(scan_shared<Pass>));
    return detail::find_spread_shape<find_kernel<Pass>(), shared_bytes, MostBlocks...>(tiles, shape::block_size);
  }
  /// The shape for a pass that has at least one tile. `does_not_fit`: a multiprocessor has too little shared memory, or
  /// more tiles would have to be there at once than can.
  template <class Pass>
  static found_shape find_shape(const Pass& pass) {
    const int tiles = pass.count_tiles(pass.n.most());
    if constexpr (Pass::may_be_apart) {
      if (pass.apart > 0) {
        found_shape found = find_spread_shape<Pass, 1, 2, 4, 0>(tiles);
        found.grid.grid_size = tiles;
        return found;
      }
    }
    if constexpr (Tiles == block_tiles::one) {
      found_shape found = find_spread_shape<Pass, 1, 2>(tiles);
      if (found.error == cudaSuccess && tiles > found.grid.grid_size) found.error = does_not_fit;
      return found;
    } else {
      return find_spread_shape<Pass, 1, 2, 0>(tiles);
    }
  }

  /// False where no tile looks at another one.
  template <class Pass>
  static bool needs_meeting(const Pass& pass) {
    return Tiles != block_tiles::one || (pass.count_tiles(pass.n.most()) > 1 && pass.apart == 0);
  }
  /// Whether the caller's workspace, if there is one, is enough for a pass.
  template <class Pass>
  static outcome check_workspace(const Pass& pass, const options& how) {
    if (how.workspace == nullptr || !needs_meeting(pass)) return {};
    const bool is_small = how.workspace->bytes() < meeting::bytes(pass.count_tiles(pass.n.most()));
    return is_small ? small_workspace : outcome{};
  }

  template <class Pass>
  static outcome run(const Pass& pass, const found_shape& found, const options& how) {
    const std::int64_t tiles = pass.count_tiles(pass.n.most());
    const auto launch_with = [&](const meeting& shared_tiles) {
      return gpuprim::launch(found.when, find_kernel<Pass>(), found.grid, how, pass, shared_tiles);
    };
    if (!needs_meeting(pass)) return {launch_with(meeting{})};
    memory_lease lease(meeting::bytes(tiles), how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(meeting::lay_over(lease.zeroed(), tiles)));
  }
};

/// The launch shapes of a scan, and the choice among them.
template <scan_policies Policies, class Acc, scan_bytes Bytes>
struct scan_launches {
  using few = scan_launch<Policies.few, block_tiles::one, Acc, Bytes>;
  using medium = scan_launch<Policies.medium, block_tiles::many, Acc, Bytes>;
  using large = scan_launch<Policies.large, block_tiles::many, Acc, Bytes>;
  /// Every tile mails its aggregate to all others, which takes much memory for long ones; and its stage is static.
  static constexpr bool has_few = Policies.few.block_size > 0 && sizeof(typename aggregate_mail<Acc>::type) <= 8 &&
                                  Bytes.all <= Policies.few.lane_bytes;
  static constexpr bool has_large = Policies.large.block_size > 0;
  static_assert(medium::fits_every_gpu || !has_large, "gpuprim::scan: the shape `medium` is the last that is tried");

  /// What is enough for a count is enough for smaller ones too.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    const std::int64_t bytes = medium::workspace_bytes(n);
    if constexpr (has_few) {
      if (bytes < few::workspace_bytes(n)) return few::workspace_bytes(n);
    }
    return bytes;
  }

  /// Calls `go(launch, pass, found)` with the launch for the count and GPU; `pass_of(shape, stride)` makes the pass,
  /// with tiles apart if there is a stride. A count that the host does not know is not for `few`, whose blocks are as
  /// many as there are tiles.
  template <class Source, class PassOf, class Go>
  static outcome choose(const Source& source, const element_count& count, const PassOf& pass_of, const Go& go) {
    const std::int64_t n = count.most();
    outcome done{does_not_fit, "the elements are too long for the shared memory of this GPU"};
    if (medium::count_tiles(n) > tile_order::most_tiles) return {cudaErrorInvalidValue, "the count is too large"};
    if constexpr (has_few) {
      int apart = 0;
      if constexpr (Source::may_be_apart) apart = source.template find_apart<typename few::shape>();
      if (apart > 0 && n / apart >= tile_order::most_tiles) apart = 0;
      const bool is_few = !count.is_in_device_memory() && few::count_tiles(n) <= few::mail::most_tiles;
      if ((is_few || apart > 0) && try_launch<few>(pass_of, go, done, apart)) return done;
    }
    if constexpr (has_large) {
      if (n >= Policies.least_large_bytes / Bytes.all && try_launch<large>(pass_of, go, done)) return done;
    }
    (void)try_launch<medium>(pass_of, go, done);
    return done;
  }

 private:
  /// False if the shape does not fit.
  template <class Launch, class PassOf, class Go>
  static bool try_launch(const PassOf& pass_of, const Go& go, outcome& done, int stride = 0) {
    const auto pass = pass_of(typename Launch::shape{}, stride);
    const found_shape found = Launch::find_shape(pass);
    if (found.error == does_not_fit) return false;
    done = found.error != cudaSuccess ? outcome{found.error} : go(Launch{}, pass, found);
    return true;
  }
};

}  // namespace gpuprim::detail
