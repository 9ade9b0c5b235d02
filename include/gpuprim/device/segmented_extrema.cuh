// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/extrema.cuh>
#include <gpuprim/device/segmented/segmented_call.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// Numbers of 16 bits are compared as floats.
template <class T>
using extremum_key = std::conditional_t<is_half_precision<T>, float, T>;

/// Elements as candidates, with their positions in the array.
template <class In, class Less>
struct candidate_input : input_iterator_types<candidate<extremum_key<input_value<In>>>> {
  using value = candidate<extremum_key<input_value<In>>>;
  In in;
  positioned<Less> made;

  __device__ value operator[](std::int64_t i) const {
    return made.template item<value>(static_cast<input_value<In>>(in[i]), i);
  }
};

/// Takes the best candidate of each segment apart.
template <class T, class Segments, class ValuesOut, class PositionsOut>
struct segment_extremum_output {
  Segments segments;
  ValuesOut values_out;
  PositionsOut positions_out;

  struct place {
    const segment_extremum_output& to;
    std::int64_t segment;

    template <class Key>
    __device__ void operator=(const candidate<Key>& best) const {
      detail::assign(to.values_out[segment], detail::convert<T>(best.value[0]));
      const std::int64_t begin = to.segments.begin(segment);
      std::int64_t at = best.position - begin;
      if (best.position == nowhere) {
        at = to.segments.end(segment) - begin;
        if (at < 0) at = 0;
      }
      detail::assign(to.positions_out[segment], at);
    }
  };
  __device__ place operator[](std::int64_t segment) const { return {*this, segment}; }
  __device__ place operator*() const { return {*this, 0}; }
  bool is_writable() const { return detail::is_writable(values_out) && detail::is_writable(positions_out); }
  bool is_aligned() const { return detail::is_aligned(values_out) && detail::is_aligned(positions_out); }
};

template <class In, class Where, class ValuesOut, class PositionsOut, class Less>
outcome find_segment_extrema(const In& in, const Where& where, std::int64_t segments, const ValuesOut& values_out,
                             const PositionsOut& positions_out, const Less& less, const options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::segmented_min_element: the input must be a pointer or a random-access iterator");
  using T = input_value<In>;
  static_assert(is_device_lambda<Less> || std::is_invocable_r_v<bool, const Less&, const T&, const T&>,
                "gpuprim::segmented_min_element: the order's const operator() must take two elements and say whether "
                "the first is less");
  static_assert(detail::takes_results<ValuesOut, T> && detail::takes_results<PositionsOut, std::int64_t>,
                "gpuprim::segmented_min_element: the first output must take elements, and the second positions");
  using key = extremum_key<T>;
  const auto order = detail::order_on_device<key>(less);
  using order_type = std::remove_const_t<decltype(order)>;
  using joins = first_of<order_type>;
  const auto from = detail::as_constant(in);
  const auto values_to = detail::unwrap_contiguous(values_out);
  const auto positions_to = detail::unwrap_contiguous(positions_out);
  const auto raw = detail::segments_of(where, segments);
  if (const outcome bad = detail::check_input(from, 0); bad.failed()) return bad;
  if constexpr (std::is_pointer_v<decltype(detail::as_constant(in))>) {
    if (segments > 0 && (from == nullptr || detail::is_host_memory(from))) {
      return {cudaErrorInvalidValue, "the input is a null pointer or in host memory"};
    }
  }
  if (detail::overlap(values_to, segments, positions_to, segments)) {
    return {cudaErrorInvalidValue, "the outputs overlap each other"};
  }
  if (const outcome bad = detail::check_segments(raw, segments, values_to, positions_to); bad.failed()) return bad;
  if constexpr (are_fixed<std::remove_const_t<decltype(raw)>>) {
    if (!detail::fits<std::remove_cvref_t<decltype(positions_to[0])>>(raw.length)) {
      return {cudaErrorInvalidValue, "the count does not fit the type of the position"};
    }
    if (const outcome bad = detail::check_input(from, raw.items()); bad.failed()) return bad;
    if (detail::overlap(values_to, segments, from, raw.items()) ||
        detail::overlap(positions_to, segments, from, raw.items())) {
      return {cudaErrorInvalidValue, "an output overlaps an input"};
    }
  }
  const candidate_input<std::remove_const_t<decltype(from)>, order_type> candidates{{}, from, {order}};
  const segment_extremum_output<T, std::remove_const_t<decltype(raw)>, std::remove_const_t<decltype(values_to)>,
                                std::remove_const_t<decltype(positions_to)>>
      to{raw, values_to, positions_to};
  return detail::reduce_segments<candidate<key>>(candidates, where, segments, to, joins{order},
                                                 identity_element<joins, candidate<key>>::value(), how);
}

}  // namespace detail

/// Bytes of workspace that `segmented_min_element` and `segmented_max_element` of elements of type T need.
template <class T>
constexpr std::int64_t segmented_extremum_workspace_bytes(std::int64_t = 0) {
  return detail::segmented_state<detail::candidate<detail::extremum_key<T>>>::bytes;
}

/// Writes the least element of each segment, and its first position in the segment: the argmin of the rows of a matrix.
///
/// @pre   `in`, `where`, `segments`: as segmented_reduce. `values_out`, `positions_out`: room for `segments` elements
///        and as many integers, apart from the input, from each other and from what says where segments are; either may
///        be `discard_output{}`. `less`: a strict weak order of elements, `<` where it is left out.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order of equivalent elements the first. A NaN is passed over. The same in every run.
/// @cost  as segmented_reduce of an iterator: elements are read one by one. A `workspace` of
///        `segmented_extremum_workspace_bytes<T>()`.
/// @return as segmented_reduce. Where a segment has no element, or nothing but NaN, the position is its length and the
///         value unspecified.
/// @source cub::DeviceSegmentedReduce::ArgMin.
/// @example examples/library/38_segments.cu
template <class In, class Where, class ValuesOut, class PositionsOut, class Less>
  requires(!std::is_convertible_v<Less, const options&>)
[[nodiscard]] cudaError_t segmented_min_element(In in, Where where, std::int64_t segments, ValuesOut values_out,
                                                PositionsOut positions_out, Less less, const options& how = {}) {
  return detail::find_segment_extrema(in, where, segments, values_out, positions_out, detail::comparing_in_call(less),
                                      how)
      .report();
}
/// As above, in the order of `<`.
template <class In, class Where, class ValuesOut, class PositionsOut>
[[nodiscard]] cudaError_t segmented_min_element(In in, Where where, std::int64_t segments, ValuesOut values_out,
                                                PositionsOut positions_out, const options& how = {}) {
  return detail::find_segment_extrema(in, where, segments, values_out, positions_out, detail::less_than{}, how)
      .report();
}

/// Writes the greatest element of each segment, of equals the first, and its position in the segment. See
/// segmented_min_element for all else.
template <class In, class Where, class ValuesOut, class PositionsOut, class Less>
  requires(!std::is_convertible_v<Less, const options&>)
[[nodiscard]] cudaError_t segmented_max_element(In in, Where where, std::int64_t segments, ValuesOut values_out,
                                                PositionsOut positions_out, Less less, const options& how = {}) {
  const auto order = detail::comparing_in_call(less);
  const detail::reversed<std::remove_const_t<decltype(order)>> reversed{order};
  return detail::find_segment_extrema(in, where, segments, values_out, positions_out, reversed, how).report();
}
/// As above, in the order of `<`.
template <class In, class Where, class ValuesOut, class PositionsOut>
[[nodiscard]] cudaError_t segmented_max_element(In in, Where where, std::int64_t segments, ValuesOut values_out,
                                                PositionsOut positions_out, const options& how = {}) {
  return detail::find_segment_extrema(in, where, segments, values_out, positions_out, detail::greater_than{}, how)
      .report();
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
