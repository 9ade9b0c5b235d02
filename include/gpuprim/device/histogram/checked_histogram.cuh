// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/detail/range_finder.cuh>
#include <gpuprim/device/histogram/histogram_bins.cuh>
#include <gpuprim/device/histogram/histogram_input.cuh>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gpuprim::inline v0_2_0::detail {

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
