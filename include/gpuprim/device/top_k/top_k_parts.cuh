// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is written beside the keys, and where the rows are.
#include <gpuprim/device/top_k/top_k_list.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Nothing is written beside the keys.
struct no_top_k_values {
  static constexpr top_k_places places = top_k_places::ignored;
};

/// The values that lie beside the keys.
template <class Values, class Out>
struct top_k_values {
  static constexpr top_k_places places = top_k_places::kept;
  Values values;
  Out out;
  __device__ void put(std::int64_t at, std::int64_t begin, std::int64_t place) const {
    out[at] = values[begin + place];
  }
};

/// The positions of the keys in their row.
template <class Out>
struct top_k_positions_out {
  static constexpr top_k_places places = top_k_places::kept;
  Out out;
  __device__ void put(std::int64_t at, std::int64_t, std::int64_t place) const { out[at] = place; }
};

/// Rows of one length.
struct even_rows {
  std::int64_t length, count;
  GPUPRIM_HOST_DEVICE std::int64_t begin(std::int64_t i) const { return i * length; }
  GPUPRIM_HOST_DEVICE std::int64_t end(std::int64_t i) const { return (i + 1) * length; }
  /// Keys of the longest row.
  constexpr std::int64_t most() const { return length; }
  /// Keys of a row for which there is room for candidates.
  constexpr std::int64_t usual() const { return length; }
  std::int64_t items() const { return length * count; }
};

/// Rows by offsets, of n keys in all. Far longer ones than most are not sampled.
template <class Offsets>
struct offset_rows {
  Offsets offsets;
  std::int64_t count, n;
  __device__ std::int64_t begin(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i]); }
  __device__ std::int64_t end(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i + 1]); }
  constexpr std::int64_t most() const { return n; }
  constexpr std::int64_t usual() const { return n / count < n / 8 ? 8 * (n / count + 1) : n; }
  std::int64_t items() const { return n; }
};

}  // namespace gpuprim::detail
