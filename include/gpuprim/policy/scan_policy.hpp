// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gpuprim::inline v0_2_0 {

/// A launch shape of a scan.
struct scan_policy {
  int block_size = 0;                 ///< 0: there is no such shape
  int blocks_per_multiprocessor = 0;  ///< that registers must leave room for
  int lane_bytes = 0;                 ///< of elements or of results, whichever have more, that a thread takes of a tile

  friend constexpr bool operator==(const scan_policy&, const scan_policy&) = default;
};

/// The shapes of a scan. With `few` a block takes one tile, and all tiles are worked on at once; it is taken where they
/// are few enough. With the others a block takes tile after tile, of which three are in shared memory. `large` is taken
/// from `least_large_bytes` of elements or results on, where a multiprocessor has room for it; every GPU has room for
/// `medium`.
struct scan_policies {
  scan_policy few{}, medium{}, large{};
  std::int64_t least_large_bytes = 0;

  friend constexpr bool operator==(const scan_policies&, const scan_policies&) = default;
};

// The bytes of a lane are an odd number of 16 bytes, so that lanes which read them together meet in no bank. Larger
// tiles cost less look-back, but a GPU has work for all multiprocessors only if there are many: see docs/lab/scan.md.
inline constexpr scan_policies tuned_scan_policies{
    .few = {.block_size = 256, .blocks_per_multiprocessor = 2, .lane_bytes = 48},
    .medium = {.block_size = 256, .blocks_per_multiprocessor = 1, .lane_bytes = 80},
    .large = {.block_size = 512, .blocks_per_multiprocessor = 1, .lane_bytes = 144},
    .least_large_bytes = std::int64_t{128} << 20,
};

/// One shape for every count and GPU, and tiles from the first element on, so that results have the same bits on all.
inline constexpr scan_policies reproducible_scan_policies{.medium = tuned_scan_policies.medium};

/// For scans by key, which have more work in an element: fewer threads have less that they do over again.
inline constexpr scan_policies tuned_keyed_scan_policies{
    .few = tuned_scan_policies.few,
    .medium = tuned_scan_policies.medium,
    .large = {.block_size = 256, .blocks_per_multiprocessor = 1, .lane_bytes = 288},
    .least_large_bytes = 0,
};

/// For scans of segments, whose elements know too whether a segment begins with them.
inline constexpr scan_policies tuned_segment_scan_policies{
    .few = tuned_scan_policies.few,
    .medium = tuned_scan_policies.medium,
    .large = {.block_size = 256, .blocks_per_multiprocessor = 1, .lane_bytes = 288},
    .least_large_bytes = std::int64_t{64} << 20,
};

}  // namespace gpuprim
