// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/gather.cuh>
#include <gpuprim/device/sort/long_values.cuh>

namespace gpuprim::inline v0_1_0 {

/// Two arrays of as many elements, of which a sort uses the other one as memory.
template <class T>
struct double_buffer {
  /// The elements; after a sort the sorted ones.
  T* current;
  /// What may be overwritten.
  T* other;
};

namespace detail {

template <class Key, class Value, class Order>
using radix_sort_of =
    radix_sort<tuned_sort_policies, decltype(detail::digits_of<Key>(std::declval<const Order&>())), Key, Value>;

/// Checks the arguments of a sort and calls `go(sort)`.
template <class Key, class Value, class In, class Order, class Go>
outcome with_sort(const In& keys, std::int64_t n, const Order& order, const Go& go) {
  [[maybe_unused]] const sort_types<Key, Order> checked{};
  if constexpr (is_radix_order<Order>) {
    const auto digits = detail::digits_of<Key>(order);
    if (const outcome bad = detail::check_input(keys, n); bad.failed()) return bad;
    radix_sort_of<Key, Value, Order> sort{digits, n, 0, 0};
    const outcome bad = detail::find_bits<decltype(digits)>(order, sort.first_bit, sort.end_bit);
    return bad.failed() ? bad : go(sort);
  } else {
    return {};
  }
}

}  // namespace detail

namespace detail {

/// Calls `go(sort)` with the sort of positions of as few bytes as n needs. Go: `go(radix_sort)` of any Position.
template <class Key, class Order, class Go>
constexpr auto with_position_sort(std::int64_t n, const Go& go) {
  if (n <= std::int64_t{1} << 32) return go(std::type_identity<radix_sort_of<Key, std::uint32_t, Order>>{});
  else return go(std::type_identity<radix_sort_of<Key, std::int64_t, Order>>{});
}

}  // namespace detail

/// How much memory `sort` and `sort_pairs` take of a workspace for n keys: room for the keys and the values, and a
/// constant. Value is void for `sort`. Sorts of double buffers take only the constant part, `sort_in_buffers_size`.
template <class Key, class Value = void, class Order = decltype(ascending)>
constexpr workspace_size sort_workspace_size(std::int64_t n) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::no_values, Value>;
  if constexpr (sizeof(value) > detail::most_moved_bytes) {
    return detail::with_position_sort<Key, std::remove_cv_t<Order>>(n, [n]<class Sort>(std::type_identity<Sort>) {
      return detail::long_values_sort<Sort, value>::find_workspace_size(n);
    });
  } else {
    return detail::radix_sort_of<Key, value, std::remove_cv_t<Order>>::find_workspace_size(n);
  }
}

/// How much memory the sorts of double buffers take of a workspace for n keys.
template <class Key, class Value = void, class Order = decltype(ascending)>
constexpr workspace_size sort_in_buffers_size(std::int64_t n) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::no_values, Value>;
  return detail::radix_sort_of<Key, value, std::remove_cv_t<Order>>::find_own_size(n);
}

/// Sorts keys by their digits.
///
/// @pre   `keys`: a pointer or a random-access iterator to n keys that the device can read. `sorted`: a pointer to
///        memory for n keys; it may be the input itself, and must not overlap it otherwise. `order`: `ascending` or
///        `descending`, with a projection of keys that are no numbers, and a range of bits if not all are compared.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order stable: equal keys stay in their order. -0 and +0 are equal; NaN come last in ascending order, or first if
///        their sign bit is set. The same bits in every run.
/// @cost  for keys that fit the shared memory of one cluster, one launch. For more, one pass that counts all digits,
///        and one for each 8 bits, which reads and writes the keys. Memory: `sort_workspace_size<Key>(n)`.
/// @return cudaSuccess, or what went wrong; `last_fault()` has the words. cudaErrorInvalidValue: null pointer although
///         n > 0, misaligned array, negative or overflowing count, an output that overlaps an input but is not the same
///         array, bits that a key does not have, workspace too small.
/// @source Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
/// @example examples/84_sort.cu
template <class In, class Out, class Order>
[[nodiscard]] cudaError_t sort(In keys, std::int64_t n, Out sorted, const Order& order, const options& how = {}) {
  const auto from = detail::as_constant(keys);
  auto* const to = detail::unwrap_contiguous(sorted);
  using Key = input_value<In>;
  static_assert(std::is_same_v<decltype(to), Key* const>, "gpuprim::sort: the output must be an array of keys");
  return detail::with_sort<Key, detail::no_values>(from, n, order, [&](const auto& sort) {
           if (const auto bad = detail::check_sorted_output(to, from, n); bad.failed()) return bad;
           return detail::run_sort(sort, from, detail::no_values{}, {to, nullptr}, how);
         })
      .report();
}

/// Sorts keys from the least to the greatest.
template <class In, class Out>
[[nodiscard]] cudaError_t sort(In keys, std::int64_t n, Out sorted, const options& how = {}) {
  return gpuprim::sort(keys, n, sorted, ascending, how);
}

/// Sorts keys and moves a value along with each.
///
/// @pre   as sort; `values`: a pointer or a random-access iterator to n values, such as a counting iterator for
///        positions. `sorted_values` may be the values themselves.
/// @sync  as sort. @order as sort. @cost as sort, with the values; `sort_workspace_size<Key, Value>(n)`.
/// @return as sort.
/// @source as sort.
/// @example examples/84_sort.cu
template <class In, class ValuesIn, class Out, class ValuesOut, class Order>
[[nodiscard]] cudaError_t sort_pairs(In keys, ValuesIn values, std::int64_t n, Out sorted_keys,
                                     ValuesOut sorted_values, const Order& order, const options& how = {}) {
  const auto from = detail::as_constant(keys);
  const auto values_from = detail::as_constant(values);
  auto* const to = detail::unwrap_contiguous(sorted_keys);
  auto* const values_to = detail::unwrap_contiguous(sorted_values);
  using Key = input_value<In>;
  using Value = input_value<ValuesIn>;
  static_assert(std::is_same_v<decltype(to), Key* const>, "gpuprim::sort_pairs: the first output must be an array of "
                                                          "keys");
  static_assert(std::is_same_v<decltype(values_to), Value* const>,
                "gpuprim::sort_pairs: the second output must be an array of values");
  static_assert(element<Value>, "gpuprim::sort_pairs: the value type must be trivially copyable and assignable");
  return detail::with_sort<Key, Value>(from, n, order, [&](const auto& sort) {
           if (const auto bad = detail::check_input(values_from, n); bad.failed()) return bad;
           if (const auto bad = detail::check_sorted_output(to, from, n); bad.failed()) return bad;
           if (const auto bad = detail::check_sorted_output(values_to, values_from, n); bad.failed()) return bad;
           if (detail::overlap(to, n, values_to, n) || detail::overlap(to, n, values_from, n) ||
               detail::overlap(values_to, n, from, n)) {
             return detail::outcome{cudaErrorInvalidValue, "keys overlap values"};
           }
           if constexpr (sizeof(Value) <= detail::most_moved_bytes) {
             return detail::run_sort(sort, from, values_from, {to, values_to}, how);
           } else {
             const auto gather = [&](const auto& unsorted, const auto* positions) {
               return detail::outcome{gpuprim::gather(unsorted, positions, n, values_to, {.stream = how.stream}),
                                      gpuprim::last_fault()};
             };
             return detail::with_position_sort<Key, Order>(n, [&]<class Sort>(std::type_identity<Sort>) {
               return detail::long_values_sort<Sort, Value>::run({sort.order, n, sort.first_bit, sort.end_bit}, from,
                                                                 values_from, {to, values_to}, how, gather);
             });
           }
         })
      .report();
}

/// Sorts keys from the least to the greatest, and moves a value along with each.
template <class In, class ValuesIn, class Out, class ValuesOut>
[[nodiscard]] cudaError_t sort_pairs(In keys, ValuesIn values, std::int64_t n, Out sorted_keys,
                                     ValuesOut sorted_values, const options& how = {}) {
  return gpuprim::sort_pairs(keys, values, n, sorted_keys, sorted_values, ascending, how);
}

/// Sorts the keys of one buffer with another of the same size in place of a workspace for keys. After the call
/// `keys.current` is where the sorted keys will be.
///
/// @pre   as sort; the buffers do not overlap.
/// @sync  as sort. @order as sort. @cost as sort; memory: `sort_in_buffers_size<Key>(n)`.
/// @return as sort.
/// @source as sort.
/// @example examples/84_sort.cu
template <class Key, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] cudaError_t sort(double_buffer<Key>& keys, std::int64_t n, const Order& order = {},
                               const options& how = {}) {
  const auto go = [&](const auto& sort) {
    if (const auto bad = detail::check_sorted_output(keys.current, keys.current, n); bad.failed()) return bad;
    if (const auto bad = detail::check_sorted_output(keys.other, keys.current, n); bad.failed()) return bad;
    if (n > 0 && keys.other == keys.current) {
      return detail::outcome{cudaErrorInvalidValue, "the two buffers are the same array"};
    }
    bool is_in_other = false;
    const detail::outcome done = detail::run_sort_in_buffers(sort, {keys.current, nullptr}, {keys.other, nullptr},
                                                             is_in_other, how);
    if (is_in_other) std::swap(keys.current, keys.other);
    return done;
  };
  return detail::with_sort<Key, detail::no_values>(static_cast<const Key*>(keys.current), n, order, go).report();
}

/// Sorts the keys of one buffer and moves the values of another along, with two more in place of a workspace.
///
/// @pre   as sort_pairs; the buffers do not overlap.
/// @sync  as sort. @order as sort. @cost as sort_pairs; memory: `sort_in_buffers_size<Key, Value>(n)`.
/// @return as sort.
/// @source as sort.
/// @example examples/84_sort.cu
template <class Key, class Value, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] cudaError_t sort_pairs(double_buffer<Key>& keys, double_buffer<Value>& values, std::int64_t n,
                                     const Order& order = {}, const options& how = {}) {
  const auto go = [&](const auto& sort) {
    detail::outcome bad;
    const auto look_at = [&](const auto& buffer) {
      if (!bad.failed()) bad = detail::check_sorted_output(buffer.current, buffer.current, n);
      if (!bad.failed()) bad = detail::check_sorted_output(buffer.other, buffer.current, n);
      if (!bad.failed() && n > 0 && buffer.other == buffer.current) {
        bad = {cudaErrorInvalidValue, "the two buffers are the same array"};
      }
    };
    look_at(keys);
    look_at(values);
    if (bad.failed()) return bad;
    bool is_in_other = false;
    const detail::outcome done = detail::run_sort_in_buffers(
        sort, {keys.current, values.current}, {keys.other, values.other}, is_in_other, how);
    if (is_in_other) {
      std::swap(keys.current, keys.other);
      std::swap(values.current, values.other);
    }
    return done;
  };
  return detail::with_sort<Key, Value>(static_cast<const Key*>(keys.current), n, order, go).report();
}

}  // namespace gpuprim
