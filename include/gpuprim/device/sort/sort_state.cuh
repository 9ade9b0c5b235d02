// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// What the launches of a sort share besides keys and values. Two launches in a row use different halves, so that each
/// clears what the next one needs.
struct sort_state {
  static constexpr int most_bins = 256;

  // Zero before a sort and after it.
  unsigned* arrived;           ///< blocks that have counted
  unsigned long long* counts;  ///< of the input's digits, most_bins for each digit
  // Anything before and after.
  unsigned long long* begins;   ///< where the keys of each digit begin, laid out as `counts`
  unsigned long long* later;    ///< where they begin in the next part of the input, for each of two launches
  unsigned* tickets[2];         ///< of tiles
  std::uint32_t* look_back[2];  ///< most_bins for each tile

  static constexpr std::int64_t zeroed_bytes(int digits) { return 64 + std::int64_t(digits) * most_bins * 8; }
  static constexpr std::int64_t scratch_bytes(int digits, std::int64_t tiles) {
    return 128 + std::int64_t(digits + 2) * most_bins * 8 + 2 * tiles * most_bins * 4;
  }
  static sort_state lay_over(void* zeroed, void* scratch, int digits, std::int64_t tiles) {
    sort_state all{};
    all.arrived = static_cast<unsigned*>(zeroed);
    if (zeroed) all.counts = reinterpret_cast<unsigned long long*>(static_cast<char*>(zeroed) + 64);
    all.tickets[0] = static_cast<unsigned*>(scratch);
    all.tickets[1] = all.tickets[0] + 16;
    all.begins = reinterpret_cast<unsigned long long*>(static_cast<char*>(scratch) + 128);
    all.later = all.begins + digits * most_bins;
    all.look_back[0] = reinterpret_cast<std::uint32_t*>(all.later + 2 * most_bins);
    all.look_back[1] = all.look_back[0] + tiles * most_bins;
    return all;
  }
};

}  // namespace gpuprim::detail
