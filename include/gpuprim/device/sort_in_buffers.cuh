// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/sort_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Two arrays of as many elements, of which a sort uses the other one as memory.
template <class T>
struct double_buffer {
  /// The elements; after a sort the sorted ones.
  T* current;
  /// What may be overwritten.
  T* other;
};

namespace detail {

template <class T>
outcome check_buffers(const double_buffer<T>& buffers, std::int64_t n) {
  if (const outcome bad = detail::check_sorted_array(buffers.current, n, buffers.current); bad.failed()) return bad;
  if (n > 0 && buffers.other == buffers.current) {
    return {cudaErrorInvalidValue, "the two buffers are the same array"};
  }
  return detail::check_sorted_array(buffers.current, n, buffers.other);
}

/// Checks buffers of keys and buffers of values.
template <class Key, class Value>
outcome check_pair_buffers(const double_buffer<Key>& keys, const double_buffer<Value>& values, std::int64_t n) {
  if (const outcome bad = detail::check_buffers(keys, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_buffers(values, n); bad.failed()) return bad;
  const auto overlaps_values = [&](const Key* of_keys) {
    return detail::overlap(of_keys, n, values.current, n) || detail::overlap(of_keys, n, values.other, n);
  };
  if (overlaps_values(keys.current) || overlaps_values(keys.other)) {
    return {cudaErrorInvalidValue, "a buffer of keys overlaps one of values"};
  }
  return {};
}

/// A sort in buffers has no form with comparisons.
template <class Key, class Order>
constexpr void check_buffer_order() {
  static_assert(is_radix_order<sorting_type<Key, Order>>,
                "gpuprim::sort, sort_pairs: in two buffers keys are sorted by their digits: ascending or descending, "
                "with by(projection) for keys that are no numbers");
}

}  // namespace detail

/// How much memory the sorts in two buffers take of a workspace for n keys: what does not grow with n.
template <class Key, class Value = void, class Order = radix_order<sort_direction::ascending>>
constexpr workspace_size sort_in_buffers_size(std::int64_t n) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::no_values, Value>;
  return detail::radix_sort_of<Key, value, detail::sorting_type<Key, Order>>::find_own_size(n);
}

/// Sorts the keys of one buffer with another of the same size in place of scratch memory. After the call `keys.current`
/// is where the sorted keys will be.
///
/// @pre   as sort, but keys are sorted by their digits only; the buffers do not overlap.
/// @sync  as sort. @order as sort. @cost as sort; memory: `sort_in_buffers_size<Key>(n)`.
/// @return as sort; if it failed, the buffers have kept their names.
/// @source as sort.
/// @example examples/library/84_sort.cu
template <class Key, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] cudaError_t sort(double_buffer<Key>& keys, std::int64_t n, const Order& order = {},
                               const options& how = {}) {
  detail::check_buffer_order<Key, Order>();
  const auto go = [&](const auto& sort) {
    if (const auto bad = detail::check_buffers(keys, n); bad.failed()) return bad;
    bool is_in_other = false;
    const detail::outcome done = detail::run_sort_in_buffers(sort, {keys.current, nullptr}, {keys.other, nullptr},
                                                             is_in_other, how);
    if (is_in_other) std::swap(keys.current, keys.other);
    return done;
  };
  return detail::with_radix_sort<Key, detail::no_values>(detail::sorting<Key>(order), n, go).report();
}

/// Sorts the keys of one buffer from the least to the greatest.
template <class Key>
[[nodiscard]] cudaError_t sort(double_buffer<Key>& keys, std::int64_t n, const options& how) {
  return gpuprim::sort(keys, n, radix_order<sort_direction::ascending>{}, how);
}

/// Sorts the keys of one buffer and moves the values of another along, with two more in place of scratch memory.
///
/// @pre   as sort_pairs, but keys are sorted by their digits only; the buffers do not overlap.
/// @sync  as sort. @order as sort. @cost as sort_pairs; memory: `sort_in_buffers_size<Key, Value>(n)`.
/// @return as sort; if it failed, the buffers have kept their names.
/// @source as sort.
/// @example examples/library/84_sort.cu
template <class Key, class Value, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] cudaError_t sort_pairs(double_buffer<Key>& keys, double_buffer<Value>& values, std::int64_t n,
                                     const Order& order = {}, const options& how = {}) {
  detail::check_buffer_order<Key, Order>();
  const auto go = [&](const auto& sort) {
    if (const auto bad = detail::check_pair_buffers(keys, values, n); bad.failed()) return bad;
    bool is_in_other = false;
    const detail::outcome done = detail::run_sort_in_buffers(
        sort, {keys.current, values.current}, {keys.other, values.other}, is_in_other, how);
    if (is_in_other) {
      std::swap(keys.current, keys.other);
      std::swap(values.current, values.other);
    }
    return done;
  };
  return detail::with_radix_sort<Key, Value>(detail::sorting<Key>(order), n, go).report();
}

/// Sorts the keys of one buffer from the least to the greatest, and moves the values of another along.
template <class Key, class Value>
[[nodiscard]] cudaError_t sort_pairs(double_buffer<Key>& keys, double_buffer<Value>& values, std::int64_t n,
                                     const options& how) {
  return gpuprim::sort_pairs(keys, values, n, radix_order<sort_direction::ascending>{}, how);
}

}  // namespace gpuprim
