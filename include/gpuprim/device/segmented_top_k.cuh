// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented_sort/long_segments.cuh>
#include <gpuprim/device/top_k/top_k_call.cuh>
#include <gpuprim/device/top_k/top_k_launch.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

using launch_top_k = top_k_launcher<row_sorter>;

template <class Where>
inline constexpr bool is_by_offsets = false;
template <class Offsets>
inline constexpr bool is_by_offsets<segment_offsets<Offsets>> = true;

}  // namespace detail

/// The two memories that a top-k of each of `segments` segments needs for keys of type T. `where`: as for
/// segmented_top_k. Fewer keys, or a smaller k, may need more: a workspace for several sizes has room for each.
template <class T, class Where, top_k_form Form = top_k_form::unsorted>
constexpr workspace_size segmented_top_k_workspace_size(const Where& where, std::int64_t segments, std::int64_t k,
                                                        top_k_order<Form> = largest) {
  static_assert(is_number<T>, "gpuprim::segmented_top_k: the keys must be numbers of at most 64 bits");
  using word = typename detail::radix_key<T>::word;
  using launch = detail::top_k_launch<tuned_row_top_k_policy>;
  const auto of = [k](const auto& rows) { return detail::launch_top_k::find_workspace<launch, word, Form>(rows, k); };
  if constexpr (!detail::is_by_offsets<Where>) return of(detail::even_rows{where.length, segments});
  else return of(detail::offset_rows<decltype(where.offsets)>{where.offsets, segments, where.n});
}

namespace detail {

/// Calls `go` with the segments that a caller has named as rows.
template <class Where, class Go>
outcome with_rows(const Where& where, std::int64_t segments, const Go& go) {
  static_assert(std::is_same_v<Where, fixed_length> || is_by_offsets<Where>,
                "gpuprim::segmented_top_k: the segments must be fixed_length{length} or segment_offsets{offsets, n}");
  if constexpr (std::is_same_v<Where, fixed_length>) {
    if (const outcome bad = detail::check_segments(where, segments); bad.failed()) return bad;
    return go(even_rows{where.length, segments});
  } else {
    const auto offsets = detail::unwrap_contiguous(where.offsets);
    using offsets_type = std::remove_cv_t<decltype(offsets)>;
    static_assert(offset_input<offsets_type>,
                  "gpuprim::segmented_top_k: the offsets must be a pointer or a random-access iterator to integers of "
                  "32 or 64 bits");
    if (const outcome bad = detail::check_segments(where, segments); bad.failed()) return bad;
    return go(offset_rows<offsets_type>{offsets, segments, where.n});
  }
}

}  // namespace detail

/// Writes the k largest keys of each of `segments` segments, or the k smallest: those of segment i from `out[i * k]`
/// on. A segment of fewer than k keys leaves the places behind its own untouched.
///
/// `where` says which keys a segment has, as in segmented_exclusive_scan: `fixed_length{length}` or
/// `segment_offsets{offsets, n}`.
///
/// @pre   as top_k and segmented_exclusive_scan. A segment has less than 2^32 keys.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order as top_k, in each segment.
/// @cost  one launch. A block takes one segment after the other, or several blocks one where there are few segments; as
///        top_k in each. A `workspace` of `segmented_top_k_workspace_size<T>(where, segments, k, order)`, or
///        more stream operations.
/// @return as top_k; cudaErrorInvalidValue too for a negative number of segments, and for an output that is seen to
///         overlap the offsets.
/// @source as top_k.
/// @example examples/library/69_sampling.cu
template <class In, class Where, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t segmented_top_k(In in, Where where, std::int64_t segments, std::int64_t k, Out out,
                                          top_k_order<Form> order = largest, const options& how = {}) {
  return detail::with_rows(where, segments, [&](auto rows) {
           return detail::top_k_of<tuned_row_top_k_policy>(in, rows, k, out, order, detail::keys_alone{},
                                                           detail::launch_top_k{how});
         })
      .report();
}

/// Takes the k largest.
template <class In, class Where, class Out>
[[nodiscard]] cudaError_t segmented_top_k(In in, Where where, std::int64_t segments, std::int64_t k, Out out,
                                          const options& how) {
  return gpuprim::segmented_top_k(in, where, segments, k, out, largest, how);
}

/// Writes the k largest keys of each segment and the values that lie beside them. Of equal keys those at the lowest
/// positions are taken, and they stay in that order if sorted. See segmented_top_k and top_k_pairs.
template <class Keys, class Values, class Where, class KeysOut, class ValuesOut,
          top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t segmented_top_k_pairs(Keys keys, Values values, Where where, std::int64_t segments,
                                                std::int64_t k, KeysOut keys_out, ValuesOut values_out,
                                                top_k_order<Form> order = largest, const options& how = {}) {
  return detail::with_rows(where, segments, [&](auto rows) {
           const detail::pairs_of<Values, ValuesOut> beside{values, rows.items(), values_out};
           return detail::top_k_of<tuned_row_top_k_policy>(keys, rows, k, keys_out, order, beside,
                                                           detail::launch_top_k{how});
         })
      .report();
}

/// Takes the k largest.
template <class Keys, class Values, class Where, class KeysOut, class ValuesOut>
[[nodiscard]] cudaError_t segmented_top_k_pairs(Keys keys, Values values, Where where, std::int64_t segments,
                                                std::int64_t k, KeysOut keys_out, ValuesOut values_out,
                                                const options& how) {
  return gpuprim::segmented_top_k_pairs(keys, values, where, segments, k, keys_out, values_out, largest, how);
}

/// Writes the k largest keys of each segment and their positions in the segment, from 0. See segmented_top_k_pairs.
template <class In, class Where, class KeysOut, class PositionsOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t segmented_top_k_positions(In in, Where where, std::int64_t segments, std::int64_t k,
                                                    KeysOut keys_out, PositionsOut positions_out,
                                                    top_k_order<Form> order = largest, const options& how = {}) {
  return detail::with_rows(where, segments, [&](auto rows) {
           const detail::positions_to<PositionsOut> beside{positions_out};
           return detail::top_k_of<tuned_row_top_k_policy>(in, rows, k, keys_out, order, beside,
                                                           detail::launch_top_k{how});
         })
      .report();
}

/// Takes the k largest.
template <class In, class Where, class KeysOut, class PositionsOut>
[[nodiscard]] cudaError_t segmented_top_k_positions(In in, Where where, std::int64_t segments, std::int64_t k,
                                                    KeysOut keys_out, PositionsOut positions_out, const options& how) {
  return gpuprim::segmented_top_k_positions(in, where, segments, k, keys_out, positions_out, largest, how);
}

}  // namespace gpuprim
