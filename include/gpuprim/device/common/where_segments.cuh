// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/launch/outcome.cuh>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {

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

/// Checks segments of one length.
inline outcome check_segments(const fixed_length& fixed, std::int64_t segments) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (0 > fixed.length) return {cudaErrorInvalidValue, "the length is negative"};
  if (segments > 0 && fixed.length > (std::numeric_limits<std::int64_t>::max)() / segments) {
    return {cudaErrorInvalidValue, "the segments are too long: their values overflow 64 bits"};
  }
  return {};
}

/// Checks segments by offsets, of which there are `segments` + 1.
template <class Offsets>
outcome check_segments(const segment_offsets<Offsets>& by, std::int64_t segments) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments > (std::numeric_limits<std::int64_t>::max)() / 32) {
    return {cudaErrorInvalidValue, "there are 2^58 segments or more"};
  }
  if (segments == 0) return {};
  const auto offsets = detail::unwrap_contiguous(by.offsets);
  if (detail::is_absent(offsets)) {
    return {cudaErrorInvalidValue, "the offsets are a null pointer or in host memory"};
  }
  if (!detail::is_aligned(offsets)) return {cudaErrorInvalidValue, "the offsets are not aligned to their type"};
  return {};
}

}  // namespace detail

}  // namespace gpuprim
