// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is written beside the keys, where the rows are, and how they are sampled.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/device/top_k/top_k_list.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

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
    detail::assign(out[at], values[begin + place]);
  }
};

/// The positions of the keys in their row.
template <class Out>
struct top_k_positions_out {
  static constexpr top_k_places places = top_k_places::kept;
  Out out;
  __device__ void put(std::int64_t at, std::int64_t, std::int64_t place) const { out[at] = place; }
};

/// The last of the k keys of a row.
template <class Word>
struct top_k_last {
  Word word;           ///< its rank
  std::int64_t equal;  ///< of the k keys, those that are equal to it
};

/// Only the last of the k is written, and no key.
template <class Word>
struct top_k_last_out {
  static constexpr top_k_places places = top_k_places::ignored;
  static constexpr bool gives_last = true;
  top_k_last<Word>* out;
  __device__ void put(std::int64_t row, Word word, std::int64_t equal) const { out[row] = {word, equal}; }
};

/// Rows of one length.
struct even_rows {
  static constexpr bool are_even = true;
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
  static constexpr bool are_even = false;
  Offsets offsets;
  std::int64_t count, n;
  __device__ std::int64_t begin(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i]); }
  __device__ std::int64_t end(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i + 1]); }
  constexpr std::int64_t most() const { return n; }
  constexpr std::int64_t usual() const { return n / count < n / 8 ? 8 * (n / count + 1) : n; }
  std::int64_t items() const { return n; }
};

/// An input behind its first elements.
template <class In>
struct later_items : input_iterator_types<input_value<In>> {
  In in;
  std::int64_t first;

  GPUPRIM_HOST_DEVICE later_items(const In& i, std::int64_t f) : in(i), first(f) {}
  __device__ auto operator[](std::int64_t at) const { return in[first + at]; }
};
template <class In>
__device__ __forceinline__ auto skip_items(const In& in, std::int64_t first) {
  if constexpr (std::is_pointer_v<In>) return in + first;
  else return later_items<In>(in, first);
}

/// How a sample is evaluated. Without a rank there is none.
struct top_k_sample {
  int rank = 0;              ///< of the key of the sample that is hardly ever among the k largest of all
  bool leaves_many = false;  ///< whether one block could not hold the candidates

  /// Keys of the sample above that one that do no harm: the search for the limit ends sooner.
  GPUPRIM_HOST_DEVICE constexpr int spare() const { return rank / 8 + 4; }
  /// Whether one of the k largest is in the sample nearly always.
  GPUPRIM_HOST_DEVICE constexpr bool reaches() const { return rank >= 40; }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
