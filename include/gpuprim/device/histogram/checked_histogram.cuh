// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/detail/range_finder.cuh>
#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/histogram/histogram_bins.cuh>
#include <gpuprim/device/histogram/histogram_input.cuh>
#include <gpuprim/policy/histogram_policy.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gpuprim::inline v0_2_0::detail {

/// What the last warp of a block does: it counts alone, or has many bins to clear before.
enum class last_warp { counts, clears };

/// The blocks of a histogram and how they share the packets.
struct histogram_grid {
  std::int64_t blocks;
  histogram_schedule schedule;
};

/// Shares the packets out among at most so many blocks. Each block has its bins to add, so few samples go to one block,
/// more to a few blocks of as few threads as that takes, and beyond that blocks and their work grow alike.
template <int Channels, class In>
histogram_grid find_histogram_grid(const histogram_policy& policy, const histogram_input<Channels, In>& input,
                                   std::int64_t most_blocks, int most_rows, last_warp last) {
  constexpr int packet_samples = histogram_input<Channels, In>::packet_samples;
  const bool fit_one = input.n <= std::int64_t{policy.samples_per_thread_of_one_block} * policy.block_size;
  const bool fit_few = !fit_one && input.packets <= std::int64_t{policy.few_blocks} * policy.block_size;
  int most_threads = policy.block_size;
  if (fit_few) most_threads /= 2;
  // A warp that has many bins to clear is spared the counting where the others can do it in one turn.
  const bool fit_others = input.packets <= most_blocks * most_rows * (policy.block_size - warp_size);
  if (!fit_few && last == last_warp::clears && fit_others) most_threads -= warp_size;

  const std::int64_t few = fit_one ? 1 : (std::min<std::int64_t>)(policy.few_blocks, most_blocks);
  int threads = (std::min)(policy.least_threads, most_threads);
  while (threads < most_threads && input.packets > threads * few) threads = (std::min)(2 * threads, most_threads);
  const double growth = double(input.packets) / double(most_threads * few);
  const double balanced_threads = double(few * threads) * std::sqrt(growth > 1 ? growth : 1);
  const auto balanced_rows = std::int64_t(double(input.packets) / balanced_threads + 0.5);
  const std::int64_t least_rows = (std::max)(detail::ceil_div(input.packets, most_blocks * threads), balanced_rows);
  const auto rows = std::clamp<std::int64_t>(least_rows, 1, most_rows);
  const std::int64_t block_packets = rows * threads;
  std::int64_t blocks = std::clamp<std::int64_t>(detail::ceil_div(input.packets, block_packets), 1, most_blocks);
  // No block may count as many samples as 32 bits hold, its edges included; more blocks than are resident come later.
  const std::int64_t most_turns = 0xffff0000 / (block_packets * packet_samples);
  blocks = std::clamp<std::int64_t>(detail::ceil_div(input.packets, block_packets * most_turns), blocks,
                                    (std::numeric_limits<int>::max)());
  return {blocks, {threads, int(rows), detail::ceil_div(input.packets, block_packets * blocks)}};
}

/// A histogram whose arguments are all right, and what its bins take of shared memory.
template <int Channels, class In, class Counter, class Finder>
struct checked_histogram {
  static constexpr bool has_levels = !counts_values<In> && requires { Finder::staged_bytes(1); };

  histogram_input<Channels, In> input;
  histogram_slots<Counter, Finder, Channels> channels;

  std::int64_t count_bins() const {
    std::int64_t all = 0;
    for (const auto& slot : channels.slot) all += slot.bins;
    return all;
  }
  /// Shared memory for one copy of the bins.
  std::int64_t kept_bytes() const { return (std::int64_t{channels.kept_bins} + 3) / 4 * 16; }
  /// Shared memory for the levels.
  std::int64_t staged_bytes() const {
    std::int64_t bytes = 0;
    if constexpr (has_levels) {
      for (const auto& slot : channels.slot) bytes += slot.counts ? Finder::staged_bytes(slot.bins) : 0;
    }
    return bytes;
  }
  bool fits(std::int64_t most_bytes) const {
    if constexpr (has_levels) {
      for (const auto& slot : channels.slot) {
        if (slot.bins > Finder::most_staged_bins) return false;
      }
    }
    return kept_bytes() + staged_bytes() <= most_bytes;
  }

  /// This histogram of one of several equal parts of each channel's bins, which are laid out in shared memory.
  checked_histogram take_part(int pass, int passes) const {
    checked_histogram part = *this;
    std::int64_t kept = 0;
    constexpr std::int64_t most = (std::numeric_limits<int>::max)();
    for (auto& slot : part.channels.slot) {
      if (slot.counts == nullptr) continue;
      if constexpr (counts_values<In>) {
        slot.kept_bins = 256;
      } else {
        const int each = (slot.bins - 1) / passes + 1;
        const int first = int((std::min<std::int64_t>)(std::int64_t{each} * pass, slot.bins));
        const int count = (std::min)(each, slot.bins - first);
        if (passes > 1 && count > 0) slot.find.restrict_to(first, count);
        slot.counts = count > 0 ? slot.counts + first : nullptr;
        slot.bins = count;
        slot.kept_bins = count > 0 ? count + 1 : 0;
        slot.first_found = Finder::counts_from_first ? 0 : first;
      }
      slot.first_bin = int((std::min)(kept, most));
      kept += slot.kept_bins;
    }
    part.channels.kept_bins = int((std::min)(kept, most));
    return part;
  }
};

}  // namespace gpuprim::detail
