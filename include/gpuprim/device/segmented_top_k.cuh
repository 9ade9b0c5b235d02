// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/segmented_sort/long_segments.cuh>
#include <gpuprim/device/top_k/top_k_call.cuh>
#include <gpuprim/device/top_k/top_k_launch.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

using launch_top_k = top_k_launcher<row_sorter>;

}  // namespace detail

/// Says that of segment i `counts[i]` keys are taken, at most `most`, which is also the distance between the first
/// results of neighbouring segments. Counts: a pointer or random-access iterator to integers of 32 or 64 bits.
template <class Counts>
struct k_of_segments {
  /// The number of keys that are taken, of each segment; none where it is negative.
  Counts counts;
  /// The most that is taken.
  std::int64_t most;
};
template <class Counts>
k_of_segments(Counts, std::int64_t) -> k_of_segments<Counts>;

/// The two memories that a top-k of each of `segments` segments needs for keys of type T. `where`: as for
/// segmented_top_k. Fewer keys, or a smaller k, may need more: a workspace for several sizes has room for each.
template <class T, class Where, top_k_form Form = top_k_form::unsorted>
constexpr workspace_size segmented_top_k_workspace_size(const Where& where, std::int64_t segments, std::int64_t k,
                                                        top_k_order<Form> = largest) {
  static_assert(is_number<T>, "gpuprim::segmented_top_k: the keys must be numbers of at most 64 bits");
  using word = typename detail::radix_key<T>::word;
  using launch = detail::top_k_launch<tuned_row_top_k_policy>;
  return detail::launch_top_k::find_workspace<launch, word, Form>(
      detail::top_k_rows(detail::segments_of(where, segments)), k);
}

namespace detail {

/// Checks where segments are and how many keys are taken of each, and does a top-k of them.
template <top_k_policy Policy, class In, class Where, class Kept, class Out, top_k_form Form, class... Beside>
outcome top_k_of_segments(const In& in, const Where& where, std::int64_t segments, const Kept& k, const Out& out,
                          top_k_order<Form> order, const options& how, const Beside&... beside) {
  static_assert(is_where<Where>,
                "gpuprim::segmented_top_k: the segments must be fixed_length{length}, segment_offsets{offsets, n} or "
                "segment_bounds{begins, ends, n}");
  static_assert(has_integer_offsets<Where>,
                "gpuprim::segmented_top_k: the offsets must be a pointer or a random-access iterator to integers of 32 "
                "or 64 bits");
  const top_k_rows rows(detail::segments_of(where, segments));
  if (const outcome bad = detail::check_segments_of_items(rows); bad.failed()) return bad;
  const launch_top_k launch{how};
  if constexpr (std::is_convertible_v<Kept, std::int64_t>) {
    return detail::top_k_of<Policy>(in, rows, static_cast<std::int64_t>(k), out, order, launch, beside...);
  } else {
    static_assert(
        requires {
          k.counts;
          k.most;
        }, "gpuprim::segmented_top_k: k must be an integer or k_of_segments{counts, most}");
    const auto counts = detail::unwrap_contiguous(k.counts);
    static_assert(offset_input<std::remove_cv_t<decltype(counts)>>,
                  "gpuprim::segmented_top_k: the counts must be a pointer or a random-access iterator to integers of "
                  "32 or 64 bits");
    if (segments > 0 && detail::is_absent(counts)) {
      return {cudaErrorInvalidValue, "the counts are a null pointer or in host memory"};
    }
    if (!detail::is_aligned(counts)) return {cudaErrorInvalidValue, "the counts are not aligned to their type"};
    const counted_rows<std::remove_cv_t<decltype(rows)>, std::remove_cv_t<decltype(counts)>> counted(rows, counts);
    return detail::top_k_of<Policy>(in, counted, k.most, out, order, launch, beside...);
  }
}

}  // namespace detail

/// Writes the k largest keys of each of `segments` segments, or the k smallest: those of segment i from `out[i * k]`
/// on. A segment of fewer than k keys leaves the places behind its own untouched.
///
/// `where` says which keys a segment has, as in segmented_exclusive_scan: `fixed_length{length}` or
/// `segment_offsets{offsets, n}`; or `segment_bounds{begins, ends, n}`. `k`: an integer, or
/// `k_of_segments{counts, most}`, where the results of segment i are those from `out[i * most]` on.
///
/// @pre   as top_k and segmented_exclusive_scan. A segment has less than 2^32 keys.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order as top_k, in each segment.
/// @cost  one launch. A cluster of blocks takes one segment after the other, as top_k does; or a block, or several
///        blocks where there are few segments. A `workspace` of
///        `segmented_top_k_workspace_size<T>(where, segments, k, order)`, with the most keys that are taken as k, or
///        more stream operations.
/// @return as top_k; cudaErrorInvalidValue too for a negative number of segments, and for an output that is seen to
///         overlap the offsets, bounds or counts.
/// @source as top_k.
/// @example examples/library/69_sampling.cu
template <class In, class Where, class Kept, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t segmented_top_k(In in, Where where, std::int64_t segments, const Kept& k, Out out,
                                          top_k_order<Form> order = largest, const options& how = {}) {
  return detail::top_k_of_segments<tuned_row_top_k_policy>(in, where, segments, k, out, order, how).report();
}

/// Takes the k largest.
template <class In, class Where, class Kept, class Out>
[[nodiscard]] cudaError_t segmented_top_k(In in, Where where, std::int64_t segments, const Kept& k, Out out,
                                          const options& how) {
  return gpuprim::segmented_top_k(in, where, segments, k, out, largest, how);
}

/// Writes the k largest keys of each segment and the values that lie beside them. Of equal keys those at the lowest
/// positions are taken, and they stay in that order if sorted. See segmented_top_k and top_k_pairs.
template <class Keys, class Values, class Where, class Kept, class KeysOut, class ValuesOut,
          top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t segmented_top_k_pairs(Keys keys, Values values, Where where, std::int64_t segments,
                                                const Kept& k, KeysOut keys_out, ValuesOut values_out,
                                                top_k_order<Form> order = largest, const options& how = {}) {
  return detail::top_k_of_segments<tuned_row_top_k_policy>(keys, where, segments, k, keys_out, order, how, values,
                                                           values_out)
      .report();
}

/// Takes the k largest.
template <class Keys, class Values, class Where, class Kept, class KeysOut, class ValuesOut>
[[nodiscard]] cudaError_t segmented_top_k_pairs(Keys keys, Values values, Where where, std::int64_t segments,
                                                const Kept& k, KeysOut keys_out, ValuesOut values_out,
                                                const options& how) {
  return gpuprim::segmented_top_k_pairs(keys, values, where, segments, k, keys_out, values_out, largest, how);
}

/// Writes the k largest keys of each segment and their positions in the segment, from 0. See segmented_top_k_pairs.
template <class In, class Where, class Kept, class KeysOut, class PositionsOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t segmented_top_k_positions(In in, Where where, std::int64_t segments, const Kept& k,
                                                    KeysOut keys_out, PositionsOut positions_out,
                                                    top_k_order<Form> order = largest, const options& how = {}) {
  return detail::top_k_of_segments<tuned_row_top_k_policy>(in, where, segments, k, keys_out, order, how, positions_out)
      .report();
}

/// Takes the k largest.
template <class In, class Where, class Kept, class KeysOut, class PositionsOut>
[[nodiscard]] cudaError_t segmented_top_k_positions(In in, Where where, std::int64_t segments, const Kept& k,
                                                    KeysOut keys_out, PositionsOut positions_out, const options& how) {
  return gpuprim::segmented_top_k_positions(in, where, segments, k, keys_out, positions_out, largest, how);
}

/// Writes the k largest of as many keys as a number in device memory says when the kernels run, or the k smallest; all
/// of them if k is above that number. Places behind those that are written stay as they are.
///
/// @pre   as top_k. `{pointer, most}`: `in` has room for the most keys. The number lies in no output.
/// @sync  as top_k. @order as top_k.
/// @cost  as segmented_top_k of one segment. A `workspace` of a dry run, or more stream operations.
/// @return as top_k, and cudaErrorInvalidValue for a count at a null pointer, or misaligned, or in an output.
/// @source as top_k.
/// @example examples/library/68_top_k.cu
template <class In, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k(In in, const element_count& n, std::int64_t k, Out out,
                                top_k_order<Form> order = largest, const options& how = {}) {
  const auto bad = detail::check_count(n, k < n.most() ? k : n.most(), detail::unwrap_contiguous(out));
  if (bad.failed()) return bad.report();
  return gpuprim::segmented_top_k(in, detail::segment_of_count(n), 1, k, out, order, how);
}
/// As above, the k largest.
template <class In, class Out>
[[nodiscard]] cudaError_t top_k(In in, const element_count& n, std::int64_t k, Out out, const options& how) {
  return gpuprim::top_k(in, n, k, out, largest, how);
}

/// Writes the k largest of as many keys as a number in device memory says, and the values beside them. See above.
template <class Keys, class Values, class KeysOut, class ValuesOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k_pairs(Keys keys, Values values, const element_count& n, std::int64_t k,
                                      KeysOut keys_out, ValuesOut values_out, top_k_order<Form> order = largest,
                                      const options& how = {}) {
  const auto bad = detail::check_count(n, k < n.most() ? k : n.most(), detail::unwrap_contiguous(keys_out),
                                       detail::unwrap_contiguous(values_out));
  if (bad.failed()) return bad.report();
  return gpuprim::segmented_top_k_pairs(keys, values, detail::segment_of_count(n), 1, k, keys_out, values_out, order,
                                        how);
}
/// As above, the k largest.
template <class Keys, class Values, class KeysOut, class ValuesOut>
[[nodiscard]] cudaError_t top_k_pairs(Keys keys, Values values, const element_count& n, std::int64_t k,
                                      KeysOut keys_out, ValuesOut values_out, const options& how) {
  return gpuprim::top_k_pairs(keys, values, n, k, keys_out, values_out, largest, how);
}

/// Writes the k largest of as many keys as a number in device memory says, and their positions. See above.
template <class In, class KeysOut, class PositionsOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k_positions(In in, const element_count& n, std::int64_t k, KeysOut keys_out,
                                          PositionsOut positions_out, top_k_order<Form> order = largest,
                                          const options& how = {}) {
  const auto bad = detail::check_count(n, k < n.most() ? k : n.most(), detail::unwrap_contiguous(keys_out),
                                       detail::unwrap_contiguous(positions_out));
  if (bad.failed()) return bad.report();
  return gpuprim::segmented_top_k_positions(in, detail::segment_of_count(n), 1, k, keys_out, positions_out, order, how);
}
/// As above, the k largest.
template <class In, class KeysOut, class PositionsOut>
[[nodiscard]] cudaError_t top_k_positions(In in, const element_count& n, std::int64_t k, KeysOut keys_out,
                                          PositionsOut positions_out, const options& how) {
  return gpuprim::top_k_positions(in, n, k, keys_out, positions_out, largest, how);
}

}  // namespace gpuprim
