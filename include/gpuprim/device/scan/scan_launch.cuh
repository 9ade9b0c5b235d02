// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/scan_kernel.cuh>
#include <gpuprim/device/tiles/found_tiles.cuh>
#include <gpuprim/policy/shared_memory.hpp>
#include <gpuprim/policy/scan_policy.hpp>

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
struct scan_launches {
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
  static constexpr bool has_few = Policies.few.block_size > 0 && sizeof(typename aggregate_mail<Acc>::type) <= 8 &&
                                  Bytes.all <= Policies.few.lane_bytes;
  static constexpr bool has_large = Policies.large.block_size > 0;
  static_assert(!has_large || medium::block_size == warp_size ||
                    medium::stages * medium::tile_items * Bytes.all <= most_stage_bytes,
                "gpuprim::scan: the shape `medium` is the last that is tried");

  /// What is enough for a count is enough for smaller ones too.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    const std::int64_t bytes = detail::shared_tile_bytes<look_back>(medium::count_tiles(n));
    if constexpr (has_few) {
      const std::int64_t other = detail::shared_tile_bytes<mail>(few::count_tiles(n));
      if (bytes < other) return other;
    }
    return bytes;
  }

  /// Chooses the launch for a count and a GPU. A count that the host does not know is not for `few`, whose blocks are
  /// as many as there are tiles.
  template <class Pass>
  static found_tiles<Pass, mail, look_back> choose(const Pass& pass) {
    found_tiles<Pass, mail, look_back> found(pass);
    const std::int64_t n = pass.n.most();
    if (medium::count_tiles(n) > tile_order::most_tiles) {
      found.fault = too_many_tiles;
      return found;
    }
    if constexpr (has_few) {
      if constexpr (Pass::may_be_apart) {
        if (try_apart<few>(found)) return found;
      }
      const bool is_few = !pass.n.is_in_device_memory() && few::count_tiles(n) <= mail::most_tiles;
      if (is_few && try_joined<few, &scan_few_kernel<few, Pass>, 0, 1, 2>(found)) return found;
    }
    if constexpr (has_large) {
      if (n >= Policies.least_large_bytes / Bytes.all && try_many<large>(found)) return found;
    }
    (void)try_many<medium>(found);
    return found;
  }

 private:
  template <class Shape, auto Kernel, int SharedBytes, int... MostBlocks, class Pass>
  static bool try_joined(found_tiles<Pass, mail, look_back>& found) {
    const std::int64_t n = found.pass.n.most();
    found.pass.head = found.pass.source.template head<Shape>(n);
    return found.template try_kernel<Kernel, Shape, SharedBytes, MostBlocks...>(
        found.pass.template count_tiles<Shape>(n));
  }
  template <class Shape, class Pass>
  static bool try_many(found_tiles<Pass, mail, look_back>& found) {
    constexpr int shared_bytes = int(sizeof(scan_shared<Shape, Pass>));
    return try_joined<Shape, &scan_kernel<Shape, Pass>, shared_bytes, 1, 2, 0>(found);
  }
  /// Tries tiles that need not know of each other. False if there are none.
  template <class Shape, class Pass>
  static bool try_apart(found_tiles<Pass, mail, look_back>& found) {
    Pass& pass = found.pass;
    const std::int64_t n = pass.n.most();
    const int stride = pass.source.template find_apart<Shape>();
    if (stride <= 0 || n / stride >= tile_order::most_tiles) return false;
    pass.apart_stride = stride;
    pass.apart = int((n + stride - 1) / stride);
    const bool fits = found.template try_kernel<&scan_few_kernel<Shape, Pass>, Shape, 0, 1, 2, 4, 0>(
        pass.apart, tile_ties::none);
    if (!fits) pass.apart = 0;
    return fits;
  }
};

}  // namespace gpuprim::detail
