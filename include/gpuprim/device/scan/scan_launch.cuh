// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/scan_kernel.cuh>
#include <gpuprim/device/tiles/tile_launches.cuh>
#include <gpuprim/policy/scan_policy.hpp>
#include <gpuprim/policy/shared_memory.hpp>

namespace gpuprim::inline v0_2_0::detail {

/// Bytes that an element takes in shared memory, and of those the ones that a thread reads together with those of its
/// neighbouring elements.
struct scan_bytes {
  int all, longest;
};

/// Shared memory that the stages may have on every GPU.
inline constexpr int most_stage_bytes = shared_bytes_of_every_gpu - 2048;

/// The launch shapes of a scan, and the choice among them.
template <scan_policies Policies, class Acc, scan_bytes Bytes>
struct scan_launches : tile_launches<scan_launches<Policies, Acc, Bytes>> {
  using mail = tile_mail<typename aggregate_mail<Acc>::type>;
  using look_back = scan_look_back<Acc>;

  /// As many as fit, but so that the lanes of a warp do not all begin in a few banks, and that short elements are read
  /// more than one at once.
  static constexpr int find_items(scan_policy policy) {
    int items = policy.lane_bytes / Bytes.all;
    const auto is_bad = [](int count) {
      return (32 > Bytes.longest && count * Bytes.longest % 32 == 0) || (16 > Bytes.longest && count % 2 != 0);
    };
    while (items > 1 && is_bad(items)) --items;
    return items > 1 ? items : 1;
  }
  /// Less than the policy's where stages of long elements would not fit a multiprocessor that is not among the largest.
  static constexpr int find_block_size(scan_policy policy) {
    int size = policy.block_size;
    while (size > warp_size && find_items(policy) == 1 && 3 * size * Bytes.all > most_stage_bytes) size /= 2;
    return size;
  }
  template <scan_policy Policy, int Stages>
  using shape = tile_shape<find_block_size(Policy), find_items(Policy), Stages, Policy.blocks_per_multiprocessor,
                           find_items(Policy) * Bytes.all>;
  using few = shape<Policies.few, 1>;
  using medium = shape<Policies.medium, 3>;
  using large = shape<Policies.large, 3>;
  /// Every tile mails its aggregate to all others, which takes much memory for long ones; and its stage is static.
  static constexpr bool has_few =
      Policies.few.block_size > 0 &&
      sizeof(typename aggregate_mail<Acc>::type) <= 8 && Bytes.all <= Policies.few.lane_bytes;
  static constexpr bool has_large = Policies.large.block_size > 0;
  static_assert(!has_large || medium::block_size == warp_size ||
                    medium::stages * medium::tile_items * Bytes.all <= most_stage_bytes,
                "gpuprim::scan: the shape `medium` is the last that is tried");

  using list = launch_list<tile_launch<medium, 0>, tile_launch<few, has_few ? mail::most_tiles : -1>,
                           tile_launch<large, has_large ? Policies.least_large_bytes / Bytes.all : -1>>;

  template <class Shape> static constexpr std::int64_t count_tiles(std::int64_t n) { return Shape::count_tiles(n); }
  template <class Shape, class Pass>
  static bool try_shape(found_tiles<Pass, mail, look_back>& found) {
    const std::int64_t n = found.pass.n.most();
    if constexpr (Policies != reproducible_scan_policies) found.pass.head = found.pass.source.template head<Shape>(n);
    const std::int64_t tiles = found.pass.template count_tiles<Shape>(n);
    if constexpr (Shape::stages == 1) {
      return found.template try_kernel<&scan_few_kernel<Shape, Pass>, Shape, 0, 1, 2>(tiles);
    } else {
      constexpr int shared_bytes = int(sizeof(scan_shared<Shape, Pass>));
      return found.template try_kernel<&scan_kernel<Shape, Pass>, Shape, shared_bytes, 1, 2, 0>(tiles);
    }
  }

  /// Chooses the launch for a count and a GPU: tiles that need not know of each other, if they can be made.
  template <class Pass>
  static found_tiles<Pass, mail, look_back> choose(const Pass& pass) {
    if constexpr (has_few && Pass::may_be_apart) {
      found_tiles<Pass, mail, look_back> found(pass);
      if (try_apart<few>(found)) return found;
    }
    return tile_launches<scan_launches>::choose(pass);
  }

 private:
  /// Tries tiles that need not know of each other. False if there are none.
  template <class Shape, class Pass>
  static bool try_apart(found_tiles<Pass, mail, look_back>& found) {
    Pass& pass = found.pass;
    const std::int64_t n = pass.n.most();
    const int stride = pass.source.template find_apart<Shape>();
    if (stride <= 0 || n / stride >= tile_order::most_tiles) return false;
    pass.apart_stride = stride;
    pass.apart = int((n + stride - 1) / stride);
    const bool fits =
        found.template try_kernel<&scan_few_kernel<Shape, Pass>, Shape, 0, 1, 2, 4, 0>(pass.apart, tile_ties::none);
    if (!fits) pass.apart = 0;
    return fits;
  }
};

}  // namespace gpuprim::detail
