// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where segments are: what a caller says of it, what kernels read, and the checks of it.
#include <gpuprim/core/arrays.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/ptx/sm_70.cuh>

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

/// What says where segments are: one of the three descriptions.
template <class Where>
inline constexpr bool is_where = std::is_same_v<Where, fixed_length>;
template <class Offsets>
inline constexpr bool is_where<segment_offsets<Offsets>> = true;
template <class Begins, class Ends>
inline constexpr bool is_where<segment_bounds<Begins, Ends>> = true;

/// Whether the numbers in it are integers of 32 or 64 bits. Offsets may stand alone.
template <class Where>
inline constexpr bool has_integer_offsets = std::is_same_v<Where, fixed_length> || offset_input<Where>;
template <class Offsets>
inline constexpr bool has_integer_offsets<segment_offsets<Offsets>> = offset_input<Offsets>;
template <class Begins, class Ends>
inline constexpr bool has_integer_offsets<segment_bounds<Begins, Ends>> = offset_input<Begins> && offset_input<Ends>;

/// A segment among n elements: what broken promises put outside is left out.
GPUPRIM_HOST_DEVICE constexpr std::int64_t clamp_bound(std::int64_t at, std::int64_t n) {
  return at < 0 ? 0 : at < n ? at : n;
}
GPUPRIM_HOST_DEVICE constexpr segment_span clamp_span(std::int64_t begin, std::int64_t end, std::int64_t n) {
  const std::int64_t first = clamp_bound(begin, n), length = clamp_bound(end, n) - first;
  return {first, length < 0 ? 0 : length};
}

// Segments as kernels read them. Segment i begins at begin(i) and ends before end(i), as the caller says; (i) is where
// it lies among the n elements. n is -1 where the caller does not say it. Arrays that say where segments are go to
// `visit(array, elements)`, which returns an outcome; the first bad one is returned.

/// Segments of one length.
struct fixed_segments {
  std::int64_t length, count;

  GPUPRIM_HOST_DEVICE std::int64_t begin(std::int64_t i) const { return i * length; }
  GPUPRIM_HOST_DEVICE std::int64_t end(std::int64_t i) const { return (i + 1) * length; }
  GPUPRIM_HOST_DEVICE segment_span operator()(std::int64_t i) const { return {i * length, length}; }
  GPUPRIM_HOST_DEVICE constexpr std::int64_t items() const { return length * count; }
  template <class Visit>
  outcome visit_arrays(const Visit&) const {
    return {};
  }
};

/// Segments by offsets.
template <class Offsets>
struct offset_segments {
  Offsets offsets;
  std::int64_t count, n;

  __device__ std::int64_t begin(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i]); }
  __device__ std::int64_t end(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i + 1]); }
  __device__ std::int64_t bound(std::int64_t i) const { return clamp_bound(begin(i), n); }
  __device__ segment_span operator()(std::int64_t i) const { return clamp_span(begin(i), end(i), n); }
  constexpr std::int64_t items() const { return n; }
  template <class Visit>
  outcome visit_arrays(const Visit& visit) const {
    return visit(offsets, count + 1);
  }
};

/// Segments by bounds.
template <class Begins, class Ends>
struct bound_segments {
  Begins begins;
  Ends ends;
  std::int64_t count, n;

  __device__ std::int64_t begin(std::int64_t i) const { return static_cast<std::int64_t>(begins[i]); }
  __device__ std::int64_t end(std::int64_t i) const { return static_cast<std::int64_t>(ends[i]); }
  __device__ segment_span operator()(std::int64_t i) const { return clamp_span(begin(i), end(i), n); }
  constexpr std::int64_t items() const { return n; }
  template <class Visit>
  outcome visit_arrays(const Visit& visit) const {
    const outcome bad = visit(begins, count);
    return bad.failed() ? bad : visit(ends, count);
  }
};

/// The segments that a caller describes.
constexpr fixed_segments segments_of(const fixed_length& where, std::int64_t count) { return {where.length, count}; }
template <class Begins, class Ends>
constexpr auto segments_of(const segment_bounds<Begins, Ends>& where, std::int64_t count) {
  return bound_segments<raw_iterator<Begins>, raw_iterator<Ends>>{
      detail::unwrap_contiguous(where.begins), detail::unwrap_contiguous(where.ends), count, where.n};
}
template <class Offsets>
constexpr auto segments_of(const segment_offsets<Offsets>& where, std::int64_t count) {
  return offset_segments<raw_iterator<Offsets>>{detail::unwrap_contiguous(where.offsets), count, where.n};
}
/// By offsets alone.
template <class Offsets>
constexpr auto segments_of(const Offsets& offsets, std::int64_t count) {
  return offset_segments<raw_iterator<Offsets>>{detail::unwrap_contiguous(offsets), count, -1};
}

template <class Segments>
inline constexpr bool are_fixed = std::is_base_of_v<fixed_segments, Segments>;
template <class Segments>
inline constexpr bool are_by_offsets = requires(const Segments& all) { all.offsets; };

/// The first elements of an array, as many as a number in device memory says, as its only segment.
inline auto segment_of_count(const element_count& n) {
  return segment_bounds{zero_iterator{}, count_iterator{{}, n}, n.most()};
}

/// Checks segments, and that none of the outputs, of `items` elements each, lies in what says where the segments are.
template <class Segments, class... Out>
outcome check_segments(const Segments& segments, std::int64_t items, const Out&... outs) {
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  if (0 > segments.count) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments.count == 0) return {};
  if (segments.count > most / 32) return {cudaErrorInvalidValue, "there are 2^58 segments or more"};
  if constexpr (are_fixed<Segments>) {
    if (0 > segments.length) return {cudaErrorInvalidValue, "the length is negative"};
    if (segments.length <= most / 2 / segments.count) return {};
    return {cudaErrorInvalidValue, "the segments are too long: their values overflow 64 bits"};
  } else {
    constexpr bool by_offsets = are_by_offsets<Segments>;
    return segments.visit_arrays([&](const auto& array, [[maybe_unused]] std::int64_t count) -> outcome {
      const char* fault = nullptr;
      if (detail::is_absent(array)) {
        fault = by_offsets ? "the offsets are a null pointer or in host memory"
                           : "the begins or ends are a null pointer or in host memory";
      } else if (!detail::is_aligned(array)) {
        fault = by_offsets ? "the offsets are not aligned to their type"
                           : "the begins or ends are not aligned to their type";
      } else if ((detail::overlap(outs, items, array, count) || ...)) {
        fault = by_offsets ? "an output overlaps the offsets" : "an output overlaps the begins or ends";
      }
      return fault == nullptr ? outcome{} : outcome{cudaErrorInvalidValue, fault};
    });
  }
}

/// And that bounds come with the number of elements.
template <class Segments, class... Out>
outcome check_segments_of_items(const Segments& segments, const Out&... outs) {
  std::int64_t items = 0;  // of segments of one length it is not known yet that their product does not overflow
  if constexpr (!are_fixed<Segments>) items = segments.items();
  if (const outcome bad = detail::check_segments(segments, items, outs...); bad.failed()) return bad;
  if constexpr (!are_fixed<Segments> && !are_by_offsets<Segments>) {
    if (segments.count > 0 && 0 > segments.n) {
      return {cudaErrorInvalidValue, "segment_bounds needs the number of elements here"};
    }
  }
  return {};
}

/// The first index from which on `is_before` does not hold, or one at most `slack` before it; it holds at all indices
/// below, and may change at one index alone. A whole warp calls it, and looks at Probes times 32 indices in each step,
/// of which `pass(count)` learns how many lie before.
template <int Probes = 1, class IsBefore, class Pass>
__device__ __forceinline__ std::int64_t find_in_order(std::int64_t count, std::int64_t slack, const IsBefore& is_before,
                                                      const Pass& pass) {
  constexpr int looks = Probes * warp_size;
  std::int64_t low = 0, high = count;
  while (high - low > slack) {
    const std::int64_t step = (high - low + looks - 1) / looks;
    int passed = 0;
#pragma unroll
    for (int k = 0; k < Probes; ++k) {
      const std::int64_t at = low + (k * warp_size + ptx::lane() + 1) * step - 1;
      passed += __popc(__ballot_sync(0xffffffffu, at < high && is_before(at)));
    }
    const std::int64_t next_high = low + (passed + 1) * step - 1;
    pass(passed);
    low += passed * step;
    if (low > high) low = high;
    if (next_high < high) high = next_high;
  }
  return low;
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
