// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/arguments/sorted_arrays.cuh>
#include <gpuprim/device/segmented_sort/call.cuh>
#include <gpuprim/device/sort/sort_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// What a sort of segments does for an order: it sorts by digits alone.
template <class Key, class Order>
constexpr auto sorting_segments(const Order& order) {
  using chosen = sorting_type<Key, Order>;
  static_assert(is_radix_order<chosen>,
                "gpuprim::segmented_sort, segmented_sort_pairs: the order must be gpuprim::ascending or "
                "gpuprim::descending, with by(projection) for keys that are no numbers");
  if constexpr (is_radix_order<chosen>) return detail::sorting<Key>(order);
  else return ascending;
}

/// Checks the arguments of a sort of segments but for where these lie, and does it.
template <class Key, class Value, class KeysIn, class ValuesIn, class Spans, class Order>
outcome check_segmented_sort(const KeysIn& keys, const ValuesIn& values, const Spans& spans, std::int64_t n,
                             const sort_buffers<Key, Value>& out, const Order& order, const options& how,
                             other_buffers where = other_buffers::of_call, const sort_buffers<Key, Value>& other = {}) {
  using sorter = segmented_sorter_of<Key, Value, Order>;
  sorter sort{detail::digits_of_sort<Key, Value>(order), n, 0, 0};
  if (const auto bad = detail::find_bits(order, sort); bad.failed()) return bad;
  if (const auto bad = detail::check_sorted(keys, values, n, out.keys, out.values); bad.failed()) return bad;
  return detail::run_segmented_sort(sort, spans, keys, values, out, how, where, other);
}

}  // namespace detail

/// How much memory `segmented_sort` and `segmented_sort_pairs` take of a workspace for so many segments with n keys in
/// all, by offsets, bounds or one length. Value is void for `segmented_sort`. Short segments of one length take none.
template <class Key, class Value = void, class Order = decltype(ascending)>
constexpr workspace_size segmented_sort_workspace_size(std::int64_t n, std::int64_t segments) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::no_values, Value>;
  using order = std::remove_cv_t<decltype(detail::sorting_segments<Key>(std::declval<const Order&>()))>;
  return detail::segmented_sorter_of<Key, value, order>::find_workspace_size(n, segments);
}

/// Sorts each of `segments` segments of the keys by itself.
///
/// `where` says which keys a segment has:
/// - `segment_offsets{offsets, n}`: segment i begins at offsets[i] and ends before offsets[i + 1], for segments + 1
///   offsets, which are integers of 32 or 64 bits in device memory and nowhere above n.
/// - `segment_bounds{begins, ends, n}`: segment i begins at begins[i] and ends before ends[i]; segments may have gaps
///   between them and stand in any order, but do not lie over each other.
/// - `fixed_length{k}`: segment i begins at i * k and has k keys, as the rows of a matrix.
///
/// @pre   `keys`: a pointer or a random-access iterator to the n keys, which the device can read. `sorted`: a pointer
///        to memory for n keys, of which those of the segments alone are written; it may be the input itself, and must
///        overlap neither the input otherwise nor the offsets. Offsets never decrease: with others it is unspecified
///        which keys are written where, though nothing outside of the n. A segment of a fixed length has less than 2^32
///        keys. `order`: as for `sort`, but no comparison.
/// @sync  asynchronous on `how.stream`; can be captured into a graph, which may be launched again with other offsets.
/// @order stable: equal keys stay in their order. NaN come last in ascending order, or first if their sign bit is set.
///        Numbers without values have -0 before +0; else both are equal. The same bits in every run.
/// @cost  of few keys one launch sorts all segments that a block holds. Of more, one sorts the shortest segments and
///        lists the others by their lengths, one sorts those that some lanes hold, and two those that a block holds.
///        All these keys are read and written once. A last launch sorts longer segments together: it reads them to
///        count digits, and moves them once for each 8 bits. Launches for segments that n keys cannot make are left
///        out; for one length there are those for this length alone. Memory:
///        `segmented_sort_workspace_size<Key>(n, segments)`, which is n keys and at most about 1.3 times as
///        much again.
/// @return cudaSuccess, or what went wrong; `last_fault()` has the words. cudaErrorInvalidValue: null pointer although
///         n > 0, misaligned array, negative or overflowing count, more than 2^32 segments by offsets or 2^32 keys or
///         more in each of one length, an output that
///         overlaps the offsets, or an input but is not the same array, bits that a key does not have, workspace too
///         small.
/// @source Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022; Batcher,
///         "Sorting networks and their applications", 1968; cub::DeviceSegmentedSort.
/// @example examples/library/87_segmented_sort.cu
template <class In, class Where, class Out, class Order>
[[nodiscard]] cudaError_t segmented_sort(In keys, Where where, std::int64_t segments, Out sorted, const Order& order,
                                         const options& how = {}) {
  static_assert(random_access_input<In>,
                "gpuprim::segmented_sort: the keys must be a pointer or a random-access iterator");
  using Key = input_value<In>;
  const auto to = detail::sorted_array(sorted);
  static_assert(detail::is_array_of<decltype(to), Key>, "gpuprim::segmented_sort: the output must be an array of keys");
  const auto chosen = detail::sorting_segments<Key>(order);
  const auto go = [&](const auto& spans, std::int64_t n) {
    const detail::sort_buffers<Key, detail::no_values> out{to, nullptr};
    const auto with = [&](const auto& from) {
      return detail::check_segmented_sort(detail::as_constant(from), detail::no_values{}, spans, n, out, chosen, how);
    };
    return detail::with_arrays(with, keys);
  };
  return detail::with_segments(where, segments, go, to).report();
}

/// Sorts the keys of each segment from the least to the greatest.
template <class In, class Where, class Out>
[[nodiscard]] cudaError_t segmented_sort(In keys, Where where, std::int64_t segments, Out sorted,
                                         const options& how = {}) {
  return gpuprim::segmented_sort(keys, where, segments, sorted, ascending, how);
}

/// Sorts the keys of each segment and moves a value along with each.
///
/// @pre   as segmented_sort; `values`: a pointer or a random-access iterator to n values, such as `positions<int>{}`,
///        or `positions_in_segment<int>{}` for the place of each key in its segment. `sorted_values` may be the values
///        themselves. No output overlaps another array otherwise.
/// @sync  as segmented_sort. @order as segmented_sort. @cost as segmented_sort, with the values;
///        `segmented_sort_workspace_size<Key, Value>(n, segments)`.
/// @return as segmented_sort.
/// @source as segmented_sort.
/// @example examples/library/87_segmented_sort.cu
template <class In, class ValuesIn, class Where, class Out, class ValuesOut, class Order>
[[nodiscard]] cudaError_t segmented_sort_pairs(In keys, ValuesIn values, Where where, std::int64_t segments,
                                               Out sorted_keys, ValuesOut sorted_values, const Order& order,
                                               const options& how = {}) {
  static_assert(random_access_input<In> && random_access_input<ValuesIn>,
                "gpuprim::segmented_sort_pairs: the keys and the values must be pointers or random-access iterators");
  using Key = input_value<In>;
  using Value = input_value<ValuesIn>;
  const auto to = detail::sorted_array(sorted_keys);
  const auto values_to = detail::sorted_array(sorted_values);
  static_assert(detail::is_array_of<decltype(to), Key>,
                "gpuprim::segmented_sort_pairs: the first output must be an array of keys");
  static_assert(detail::is_array_of<decltype(values_to), Value>,
                "gpuprim::segmented_sort_pairs: the second output must be an array of values");
  static_assert(element<Value>,
                "gpuprim::segmented_sort_pairs: the value type must be trivially copyable and "
                "assignable");
  const auto chosen = detail::sorting_segments<Key>(order);
  const auto go = [&](const auto& spans, std::int64_t n) {
    const detail::sort_buffers<Key, Value> out{to, values_to};
    const auto with = [&](const auto& from, const auto& values_from) {
      return detail::check_segmented_sort(detail::as_constant(from), detail::as_constant(values_from), spans, n, out,
                                          chosen, how);
    };
    return detail::with_arrays(with, keys, values);
  };
  return detail::with_segments(where, segments, go, to, values_to).report();
}

/// Sorts the keys of each segment from the least to the greatest, and moves a value along with each.
template <class In, class ValuesIn, class Where, class Out, class ValuesOut>
[[nodiscard]] cudaError_t segmented_sort_pairs(In keys, ValuesIn values, Where where, std::int64_t segments,
                                               Out sorted_keys, ValuesOut sorted_values, const options& how = {}) {
  return gpuprim::segmented_sort_pairs(keys, values, where, segments, sorted_keys, sorted_values, ascending, how);
}

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
  return detail::with_segments(where, segments, go, keys.current, keys.other).report();
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
    if (const auto bad = detail::check_buffers(keys, values, n); bad.failed()) return bad;
    const detail::sort_buffers<Key, Value> current{keys.current, values.current}, other{keys.other, values.other};
    const Key* const from = keys.current;
    const Value* const values_from = values.current;
    return detail::check_segmented_sort(from, values_from, spans, n, current, chosen, how,
                                        detail::other_buffers::of_caller, other);
  };
  return detail::with_segments(where, segments, go, keys.current, keys.other, values.current, values.other).report();
}

/// Sorts the keys of each segment of one buffer from the least to the greatest, and moves the values of another along.
template <class Key, class Value, class Where>
[[nodiscard]] cudaError_t segmented_sort_pairs(const double_buffer<Key>& keys, const double_buffer<Value>& values,
                                               Where where, std::int64_t segments, const options& how) {
  return gpuprim::segmented_sort_pairs(keys, values, where, segments, ascending, how);
}

/// Sorts as many keys as a number in device memory says when the kernels run, as the only segment of an array.
///
/// @pre   as sort by digits: no comparison. `{pointer, most}`: the arrays have room for the most keys; those behind the
///        number are neither read nor written. The number lies in no output.
/// @sync  as sort. @order as sort.
/// @cost  as segmented_sort of one segment: more launches than where the host knows the number, and a pass over memory
///        for each 8 bits of many keys. Memory: `segmented_sort_workspace_size<Key>(most, 1)`.
/// @return as sort, and cudaErrorInvalidValue for a count at a null pointer, or misaligned, or in an output.
/// @source as segmented_sort.
/// @example examples/library/84_sort.cu
template <class In, class Out, class Order = decltype(ascending)>
[[nodiscard]] cudaError_t sort(In keys, const element_count& n, Out sorted, const Order& order = {},
                               const options& how = {}) {
  const auto bad = detail::check_count(n, n.most(), detail::unwrap_contiguous(sorted));
  if (bad.failed()) return bad.report();
  return gpuprim::segmented_sort(keys, detail::segment_of_count(n), 1, sorted, order, how);
}
/// As above, from the least to the greatest.
template <class In, class Out>
[[nodiscard]] cudaError_t sort(In keys, const element_count& n, Out sorted, const options& how) {
  return gpuprim::sort(keys, n, sorted, ascending, how);
}

/// Sorts as many keys as a number in device memory says, and moves a value along with each. See above.
template <class In, class ValuesIn, class Out, class ValuesOut, class Order = decltype(ascending)>
[[nodiscard]] cudaError_t sort_pairs(In keys, ValuesIn values, const element_count& n, Out sorted_keys,
                                     ValuesOut sorted_values, const Order& order = {}, const options& how = {}) {
  const auto bad = detail::check_count(n, n.most(), detail::unwrap_contiguous(sorted_keys),
                                       detail::unwrap_contiguous(sorted_values));
  if (bad.failed()) return bad.report();
  return gpuprim::segmented_sort_pairs(keys, values, detail::segment_of_count(n), 1, sorted_keys, sorted_values, order,
                                       how);
}
/// As above, from the least to the greatest.
template <class In, class ValuesIn, class Out, class ValuesOut>
[[nodiscard]] cudaError_t sort_pairs(In keys, ValuesIn values, const element_count& n, Out sorted_keys,
                                     ValuesOut sorted_values, const options& how) {
  return gpuprim::sort_pairs(keys, values, n, sorted_keys, sorted_values, ascending, how);
}

}  // namespace gpuprim
