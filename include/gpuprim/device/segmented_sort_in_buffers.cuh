// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/double_buffer.cuh>
#include <gpuprim/device/segmented_sort.cuh>

namespace gpuprim::inline v0_2_0 {

/// How much memory the sorts of segments in two buffers take of a workspace: what their launches tell each other, and
/// no keys or values.
template <class Key, class Value = void, class Order = decltype(ascending)>
constexpr workspace_size segmented_sort_in_buffers_size(std::int64_t n, std::int64_t segments) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::no_values, Value>;
  using order = std::remove_cv_t<decltype(detail::sorting_segments<Key>(std::declval<const Order&>()))>;
  return detail::segmented_sorter_of<Key, value, order>::find_workspace_size(n, segments,
                                                                             detail::other_buffers::of_caller);
}

/// Sorts the keys of each segment of one buffer, with another of the same size in place of scratch memory. The sorted
/// keys will be in `keys.current`, which stays the same array.
///
/// @pre   as segmented_sort; the buffers do not overlap. What lies outside of all segments stays in `current`, and is
///        unspecified in `other`.
/// @sync  as segmented_sort. @order as segmented_sort.
/// @cost  as segmented_sort in place; memory: `segmented_sort_in_buffers_size<Key>(n, segments)`.
/// @return as segmented_sort.
/// @source as segmented_sort.
/// @example examples/library/87_segmented_sort.cu
template <class Key, class Where, class Order = decltype(ascending)>
[[nodiscard]] cudaError_t segmented_sort(const double_buffer<Key>& keys, Where where, std::int64_t segments,
                                         const Order& order = {}, const options& how = {}) {
  const auto chosen = detail::sorting_segments<Key>(order);
  const auto go = [&](const auto& spans, std::int64_t n) {
    if (const auto bad = detail::check_buffers(keys, n); bad.failed()) return bad;
    const detail::sort_buffers<Key, detail::no_values> current{keys.current, nullptr}, other{keys.other, nullptr};
    return detail::check_segmented_sort(static_cast<const Key*>(keys.current), detail::no_values{}, spans, n, current,
                                        chosen, how, detail::other_buffers::of_caller, other);
  };
  return detail::with_segment_spans(where, segments, go, keys.current, keys.other).report();
}

/// Sorts the keys of each segment of one buffer from the least to the greatest.
template <class Key, class Where>
[[nodiscard]] cudaError_t segmented_sort(const double_buffer<Key>& keys, Where where, std::int64_t segments,
                                         const options& how) {
  return gpuprim::segmented_sort(keys, where, segments, ascending, how);
}

/// Sorts the keys of each segment of one buffer and moves the values of another along, with two more in place of
/// scratch memory.
///
/// @pre   as segmented_sort_pairs; the buffers do not overlap.
/// @sync  as segmented_sort. @order as segmented_sort.
/// @cost  as segmented_sort_pairs in place; memory: `segmented_sort_in_buffers_size<Key, Value>(n, segments)`.
/// @return as segmented_sort.
/// @source as segmented_sort.
/// @example examples/library/87_segmented_sort.cu
template <class Key, class Value, class Where, class Order = decltype(ascending)>
[[nodiscard]] cudaError_t segmented_sort_pairs(const double_buffer<Key>& keys, const double_buffer<Value>& values,
                                               Where where, std::int64_t segments, const Order& order = {},
                                               const options& how = {}) {
  const auto chosen = detail::sorting_segments<Key>(order);
  const auto go = [&](const auto& spans, std::int64_t n) {
    if (const auto bad = detail::check_pair_buffers(keys, values, n); bad.failed()) return bad;
    const detail::sort_buffers<Key, Value> current{keys.current, values.current}, other{keys.other, values.other};
    const Key* const from = keys.current;
    const Value* const values_from = values.current;
    return detail::check_segmented_sort(from, values_from, spans, n, current, chosen, how,
                                        detail::other_buffers::of_caller, other);
  };
  return detail::with_segment_spans(where, segments, go, keys.current, keys.other, values.current, values.other)
      .report();
}

/// Sorts the keys of each segment of one buffer from the least to the greatest, and moves the values of another along.
template <class Key, class Value, class Where>
[[nodiscard]] cudaError_t segmented_sort_pairs(const double_buffer<Key>& keys, const double_buffer<Value>& values,
                                               Where where, std::int64_t segments, const options& how) {
  return gpuprim::segmented_sort_pairs(keys, values, where, segments, ascending, how);
}

}  // namespace gpuprim
