// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/device/top_k/top_k_call.cuh>

#include <limits>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {

/// The two memories that a segmented_nth_element of `segments` segments needs for keys of type T, for every `nth`.
/// `where`: as for segmented_nth_element. Fewer keys may need more: a workspace for several sizes has room for each.
template <class T, class Where>
constexpr workspace_size segmented_nth_element_workspace_size(const Where& where, std::int64_t segments) {
  static_assert(is_number<T>, "gpuprim::segmented_nth_element: the keys must be numbers of at most 64 bits");
  using word = typename detail::radix_key<T>::word;
  using launch = detail::top_k_launch<tuned_row_top_k_policy>;
  const detail::top_k_rows rows(detail::segments_of(where, segments));
  if (rows.most() <= 0 || segments <= 0) return {};
  // A sample leaves a quarter of the keys at most, and there is none of what one block holds.
  const std::int64_t usual = rows.usual(), alone = detail::most_alone<tuned_row_top_k_policy, word>;
  const std::int64_t room = usual > alone ? usual / 4 : 0;
  const std::int64_t teams = launch::lower(segments, launch::most_teams);
  return {launch::template find_workspace<word>(rows, rows.most()).zeroed_bytes,
          launch::template scratch_bytes<word, detail::top_k_places::ignored>(teams, 2, room, 0)};
}

namespace detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Of each row only the last of the keys that are taken is written.
template <class Out, class Ranking>
struct nth_key_out {
  static constexpr top_k_places places = top_k_places::ignored;
  static constexpr bool gives_last = true;
  Out out;
  Ranking ranks;
  __device__ void put(std::int64_t row, typename Ranking::word word, std::int64_t) const {
    detail::assign(out[row], ranks.key(word));
  }
};

/// Rows of which keys are taken up to the one at a place that each row has for itself, or none if it is shorter.
template <class Rows, class Places>
struct rows_with_places : counted_rows<Rows, Places> {
  using counted_rows<Rows, Places>::counted_rows;
  __device__ std::int64_t results(std::int64_t i, std::int64_t) const {
    const auto place = static_cast<std::int64_t>(this->counts[i]);
    return place >= 0 && this->end(i) - this->begin(i) > place ? place + 1 : 0;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS

/// Writes the last of the keys that are taken of each row, at most k. The rows and places are checked.
template <top_k_policy Policy, class In, class Rows, class Out>
outcome find_last_keys(const In& in, const Rows& rows, std::int64_t k, const Out& out, top_k_end end,
                       const options& how) {
  using ranking = key_ranking<input_value<In>, zeros::distinct>;
  if (rows.count == 0 || rows.most() == 0) return {};
  if (rows.most() > (std::numeric_limits<std::int64_t>::max)() / 16 / (Rows::are_even ? rows.count : 1)) {
    return {cudaErrorInvalidValue, "the count is too large"};
  }
  const auto go = [&](auto given, auto to) -> outcome {
    const auto raw = detail::as_constant(given);
    if (const outcome bad = detail::check_input(raw, rows.items()); bad.failed()) return bad;
    if (const outcome bad = detail::check_top_k_output(to, rows.count, raw, rows); bad.failed()) return bad;
    const nth_key_out<decltype(to), ranking> last{to, ranking::of(end)};
    return detail::run_top_k<Policy>(raw, rows, k, to, last, top_k_order<>{end}, launch_chosen{how});
  };
  return detail::with_arrays(go, in, out);
}

template <top_k_policy Policy, class In, class Where, class Nth, class Out, top_k_form Form>
outcome segmented_nth_element(const In& in, const Where& where, std::int64_t segments, const Nth& nth, const Out& out,
                              top_k_order<Form> order, const options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::segmented_nth_element: the keys must be a pointer or a random-access iterator");
  static_assert(is_number<input_value<In>>,
                "gpuprim::segmented_nth_element: the keys must be numbers of at most 64 bits");
  static_assert(detail::takes_results<Out, input_value<In>>,
                "gpuprim::segmented_nth_element: the output must take keys");
  static_assert(Form == top_k_form::unsorted,
                "gpuprim::segmented_nth_element: the order must be gpuprim::smallest or gpuprim::largest");
  static_assert(is_where<Where>,
                "gpuprim::segmented_nth_element: the segments must be fixed_length{length}, segment_offsets{offsets, "
                "n} or segment_bounds{begins, ends, n}");
  static_assert(has_integer_offsets<Where>,
                "gpuprim::segmented_nth_element: the offsets must be a pointer or a random-access iterator to integers "
                "of 32 or 64 bits");
  const top_k_rows rows(detail::segments_of(where, segments));
  using rows_type = std::remove_const_t<decltype(rows)>;
  if (const outcome bad = detail::check_segments_of_items(rows); bad.failed()) return bad;
  if (rows.most() < 0) return {cudaErrorInvalidValue, "the count is negative"};
  if constexpr (std::is_integral_v<Nth>) {
    std::int64_t place = static_cast<std::int64_t>(nth);
    if (place < 0) return {cudaErrorInvalidValue, "nth is negative"};
    if (place >= rows.most()) return {};  // no segment has that place
    if constexpr (rows_type::are_even) {
      // From the end that is nearer.
      const bool is_near = place < rows.length - place;
      if (!is_near) place = rows.length - 1 - place;
      const bool is_largest = (order.end == top_k_end::largest) == is_near;
      const auto end = is_largest ? top_k_end::largest : top_k_end::smallest;
      return detail::find_last_keys<Policy>(in, rows, place + 1, out, end, how);
    } else {
      using every = constant_values<std::int64_t>;
      const rows_with_places<rows_type, every> placed(rows, every(place));
      return detail::find_last_keys<Policy>(in, placed, place + 1, out, order.end, how);
    }
  } else {
    const auto places = detail::unwrap_contiguous(nth);
    using places_type = std::remove_cv_t<decltype(places)>;
    static_assert(offset_input<places_type>,
                  "gpuprim::segmented_nth_element: nth must be an integer, or an iterator to integers of 32 or 64 "
                  "bits");
    if (segments > 0 && detail::is_absent(places)) {
      return {cudaErrorInvalidValue, "the places are a null pointer or in host memory"};
    }
    if (!detail::is_aligned(places)) return {cudaErrorInvalidValue, "the places are not aligned to their type"};
    const rows_with_places<rows_type, places_type> placed(rows, places);
    return detail::find_last_keys<Policy>(in, placed, rows.most(), out, order.end, how);
  }
}

}  // namespace detail

/// Writes to `out[i]` the key that a sort of segment i would put at place `nth`, such as the median or another quantile
/// of each row. `smallest`: from the least key up; `largest`: from the greatest down. A segment that has no such place
/// leaves its result untouched.
///
/// `where` says which keys a segment has: `fixed_length{length}`, `segment_offsets{offsets, n}` or
/// `segment_bounds{begins, ends, n}`. `nth`: an integer, or a pointer or random-access iterator to one place for each
/// segment, integers of 32 or 64 bits. Floating keys are in the order of their numbers; a NaN is above +infinity, or
/// below -infinity if its sign bit is set, and +0 is above -0.
///
/// @pre   `in`: a pointer or a random-access iterator to numbers of at most 64 bits, which the device can read. `out`
///        has room for `segments` keys, apart from the input and from what says where segments and places are. A
///        segment has less than 2^32 keys. `order`: `smallest` or `largest`.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order the result is the same in every run, on every GPU.
/// @cost  one launch. A block reads a segment once that its registers hold; a longer one once for each 11 bits of a
///        key, and about once where one place near an end is asked of all segments. Few long segments have several
///        blocks each. A `workspace` of `segmented_nth_element_workspace_size<T>(where, segments)`, or more stream
///        operations.
/// @return as segmented_top_k; cudaErrorInvalidValue too for an integer `nth` that is negative.
/// @source as top_k.
/// @example examples/library/88_nth_element.cu
template <class In, class Where, class Nth, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t segmented_nth_element(In in, Where where, std::int64_t segments, Nth nth, Out out,
                                                top_k_order<Form> order = smallest, const options& how = {}) {
  return detail::segmented_nth_element<tuned_row_top_k_policy>(in, where, segments, nth, out, order, how).report();
}

/// From the least key up.
template <class In, class Where, class Nth, class Out>
[[nodiscard]] cudaError_t segmented_nth_element(In in, Where where, std::int64_t segments, Nth nth, Out out,
                                                const options& how) {
  return gpuprim::segmented_nth_element(in, where, segments, nth, out, smallest, how);
}

}  // namespace gpuprim
