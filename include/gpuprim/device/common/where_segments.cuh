// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/common/element_count.cuh>
#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/launch/outcome.cuh>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

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

/// Says that segment i begins at begins[i] and ends before ends[i]: two pointers or random-access iterators to integers
/// of 32 or 64 bits. The segments may lie anywhere, in any order, apart or over each other; one whose end is not after
/// its begin is empty. A top-k and a sort take `n` too, above which no end is; a reduce needs none. Segments that are
/// sorted do not lie over each other.
template <class Begins, class Ends = Begins>
struct segment_bounds {
  /// The first element of each segment.
  Begins begins;
  /// The element behind the last of each segment.
  Ends ends;
  /// The number of elements, or -1 if it is left out.
  std::int64_t n = -1;
};
template <class Begins, class Ends>
segment_bounds(Begins, Ends) -> segment_bounds<Begins, Ends>;
template <class Begins, class Ends>
segment_bounds(Begins, Ends, std::int64_t) -> segment_bounds<Begins, Ends>;

/// The positions of keys in their segments, as the values of a sort of segments: for an argsort of each. The first key
/// of a segment has position 0.
template <class T = std::int64_t>
struct positions_in_segment : positions<T> {
  /// The value of a key by its place in its segment.
  GPUPRIM_HOST_DEVICE constexpr T of_place(std::int64_t i) const { return static_cast<T>(i); }
};

namespace detail {

template <class It>
concept offset_input = random_access_input<It> && std::is_integral_v<input_value<It>> &&
    (sizeof(input_value<It>) == 4 || sizeof(input_value<It>) == 8);

/// The first elements of an array, as many as a number in device memory says, as its only segment.
inline auto segment_of_count(const element_count& n) {
  return segment_bounds{zero_iterator{}, count_iterator{{}, n}, n.most()};
}

/// Checks segments of one length.
inline outcome check_segments(const fixed_length& fixed, std::int64_t segments) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (0 > fixed.length) return {cudaErrorInvalidValue, "the length is negative"};
  if (segments > 0 && fixed.length > (std::numeric_limits<std::int64_t>::max)() / segments) {
    return {cudaErrorInvalidValue, "the segments are too long: their values overflow 64 bits"};
  }
  return {};
}

/// Checks how many segments there are that arrays describe.
inline outcome check_segment_count(std::int64_t segments) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments > (std::numeric_limits<std::int64_t>::max)() / 32) {
    return {cudaErrorInvalidValue, "there are 2^58 segments or more"};
  }
  return {};
}

/// Checks segments by offsets, of which there are `segments` + 1.
template <class Offsets>
outcome check_segments(const segment_offsets<Offsets>& by, std::int64_t segments) {
  if (const outcome bad = detail::check_segment_count(segments); bad.failed() || segments == 0) return bad;
  const auto offsets = detail::unwrap_contiguous(by.offsets);
  if (detail::is_absent(offsets)) {
    return {cudaErrorInvalidValue, "the offsets are a null pointer or in host memory"};
  }
  if (!detail::is_aligned(offsets)) return {cudaErrorInvalidValue, "the offsets are not aligned to their type"};
  return {};
}

/// Checks segments by bounds.
template <class Begins, class Ends>
outcome check_segments(const segment_bounds<Begins, Ends>& by, std::int64_t segments) {
  if (const outcome bad = detail::check_segment_count(segments); bad.failed() || segments == 0) return bad;
  const auto begins = detail::unwrap_contiguous(by.begins);
  const auto ends = detail::unwrap_contiguous(by.ends);
  if (detail::is_absent(begins) || detail::is_absent(ends)) {
    return {cudaErrorInvalidValue, "the begins or ends are a null pointer or in host memory"};
  }
  if (!detail::is_aligned(begins) || !detail::is_aligned(ends)) {
    return {cudaErrorInvalidValue, "the begins or ends are not aligned to their type"};
  }
  if (0 > by.n) return {cudaErrorInvalidValue, "segment_bounds needs the number of elements here"};
  return {};
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
