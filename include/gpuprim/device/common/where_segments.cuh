// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/iterators.hpp>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_1_0 {

/// Says that segments have one length and follow each other: the rows of a matrix.
struct fixed_length {
  /// Elements in each segment.
  std::int64_t length;
};

/// Says that segment i begins at offsets[i] and ends before offsets[i + 1], and that no offset is above `n`. Offsets: a
/// pointer or random-access iterator to integers of 32 or 64 bits.
template <class Offsets>
struct segment_offsets {
  /// The offset of each segment, and one more for the end of the last.
  Offsets offsets;
  /// The number of elements.
  std::int64_t n;
};
template <class Offsets>
segment_offsets(Offsets, std::int64_t) -> segment_offsets<Offsets>;

namespace detail {

template <class It>
concept offset_input = random_access_input<It> && std::is_integral_v<input_value<It>> &&
    (sizeof(input_value<It>) == 4 || sizeof(input_value<It>) == 8);

}  // namespace detail

}  // namespace gpuprim
