// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/gather.cuh>
#include <gpuprim/device/merge_sort.cuh>
#include <gpuprim/device/sort/long_values.cuh>
#include <gpuprim/device/sort_in_buffers.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Sorts keys, and values with them unless these are `no_values`; the arguments are checked.
template <class Radix, class Keys, class Values>
outcome run_any_sort(const Radix& radix, const Keys& keys, const Values& values, const typename Radix::buffers& out,
                     const options& how) {
  using sort = sort_of<Radix>;
  if constexpr (std::is_same_v<sort, Radix>) {
    outcome done;
    if (detail::run_by_counting(radix, keys, out, how, done)) return done;
    return detail::run_sort(radix, keys, values, out, how);
  } else {
    const std::int64_t n = radix.n;
    outcome done;
    if (n == 0 || radix.run_in_one_launch(keys, values, out, how, done)) return done;
    memory_lease lease(sort::find_workspace_size(n), how);
    if (lease.error()) return lease.refusal();
    char* const own = lease.scratch() + sort::buffer_bytes(n);
    const auto other = sort::lay_over(lease.scratch(), n);
    return lease.finish(sort{radix.order, n}.run(keys, values, out, other, lease.zeroed(), own, how));
  }
}

/// Checks the arguments of a sort of arrays by the digits of their keys, and sorts them.
template <class Key, class Value, class KeysIn, class ValuesIn, class Order>
outcome sort_by_digits(const KeysIn& keys, const ValuesIn& values, std::int64_t n, const sort_buffers<Key, Value>& out,
                       const Order& order, const options& how) {
  auto radix = detail::make_radix_sort<Key, Value>(order, n);
  if (const auto bad = detail::find_bits(order, radix); bad.failed()) return bad;
  if (const auto bad = detail::check_sorted(keys, values, n, out.keys, out.values); bad.failed()) return bad;
  if constexpr (radix.value_bytes <= most_moved_bytes) {
    return detail::run_any_sort(radix, keys, values, out, how);
  } else {
    return detail::sort_long_values(radix, keys, values, out, how, [&](const auto& unsorted, const auto* places) {
      const cudaError_t error = gpuprim::gather(unsorted, places, n, out.values, how);
      return error == cudaSuccess ? outcome{} : outcome{error, gpuprim::last_fault()};
    });
  }
}

}  // namespace detail

/// How much memory `sort` and `sort_pairs` take of a workspace for n keys: room for the keys and the values, one
/// hundredth of that, and a constant. Value is void for `sort`.
template <class Key, class Value = void, class Order = radix_order<sort_direction::ascending>>
constexpr workspace_size sort_workspace_size(std::int64_t n) {
  using value = std::conditional_t<std::is_void_v<Value>, detail::no_values, Value>;
  using order = detail::sorting_type<Key, Order>;
  if constexpr (!detail::is_radix_order<order>) {
    return gpuprim::merge_sort_workspace_size<Key, Value>(n);
  } else if constexpr (sizeof(value) > detail::most_moved_bytes) {
    return detail::find_long_values_size<Key, value, order>(n);
  } else {
    using radix = detail::radix_sort_of<Key, value, order>;
    return detail::or_counting_size<radix>(n, detail::sort_of<radix>::find_workspace_size(n));
  }
}

/// Sorts keys: numbers, and what a projection makes numbers of, by their digits, and others by comparisons.
///
/// @pre   `keys`: a pointer or a random-access iterator to n keys that the device can read. `sorted`: a pointer to
///        memory for n keys; it may be the input itself, and must not overlap it otherwise. `order`: `ascending` or
///        `descending`, with a projection if the keys have no order of their own, and a range of bits if not all are
///        compared; or `order(a, b)` says whether a comes before b, and is a strict weak order.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order stable: equal keys stay in their order. NaN come last in ascending order, or first if their sign bit is set.
///        Numbers without values have -0 before +0; else both are equal. The same bits in every run.
/// @cost  by digits: for keys that fit the shared memory of one cluster, one launch. For more numbers of 32 or 64 bits,
///        one pass that counts, one or two that move the keys, and one that sorts them in shared memory; many of 8 or
///        16 bits are read and written once. What else has digits takes one pass that counts, and one for each 8 bits;
///        in place an odd number of them begins with a copy. The 8-bit floats of cuda_fp8.h are numbers here. By
///        comparisons, as merge_sort, which passes over the keys as often as their tiles double: so are keys sorted
///        that are no numbers of up to 64 bits, structs of 16 bits and integers of 128 bits among them, unless a
///        projection makes numbers of them. Memory: `sort_workspace_size<Key, void, Order>(n)`, which is room for the
///        keys either way; by comparisons there is beside it a place for each tile.
/// @return cudaSuccess, or what went wrong; `last_fault()` has the words. cudaErrorInvalidValue: null pointer although
///         n > 0, misaligned array, negative or overflowing count, an output that overlaps an input but is not the same
///         array, bits that a key does not have, workspace too small.
/// @source Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
/// @example examples/library/84_sort.cu
template <class In, class Out, class Order>
[[nodiscard]] cudaError_t sort(In keys, std::int64_t n, Out sorted, const Order& order, const options& how = {}) {
  static_assert(random_access_input<In>,
                "gpuprim::sort: the keys must be a pointer or a random-access iterator; a "
                "double_buffer must be a variable");
  using Key = input_value<In>;
  [[maybe_unused]] const detail::refuse_stream<Order> checked{};
  const auto to = detail::sorted_array(sorted);
  static_assert(detail::is_array_of<decltype(to), Key>, "gpuprim::sort: the output must be an array of keys");
  const auto chosen = detail::sorting<Key>(order);
  if constexpr (!detail::is_radix_order<detail::sorting_type<Key, Order>>) {
    if (const auto bad = detail::check_no_bits(order); bad.failed()) return bad.report();
    return gpuprim::merge_sort(keys, n, sorted, chosen, how);
  } else {
    const auto go = [&](const auto& from) {
      const detail::sort_buffers<Key, detail::no_values> out{to, nullptr};
      return detail::sort_by_digits(detail::as_constant(from), detail::no_values{}, n, out, chosen, how);
    };
    return detail::with_arrays(go, keys).report();
  }
}

/// Sorts keys from the least to the greatest.
template <class In, class Out>
[[nodiscard]] cudaError_t sort(In keys, std::int64_t n, Out sorted, const options& how = {}) {
  return gpuprim::sort(keys, n, sorted, radix_order<sort_direction::ascending>{}, how);
}

/// Sorts keys and moves a value along with each.
///
/// @pre   as sort; `values`: a pointer or a random-access iterator to n values, such as `positions<int>{}`.
///        `sorted_values` may be the values themselves. No output overlaps another array otherwise.
/// @sync  as sort. @order as sort. @cost as sort, with the values; `sort_workspace_size<Key, Value>(n)`.
/// @return as sort.
/// @source as sort.
/// @example examples/library/84_sort.cu
template <class In, class ValuesIn, class Out, class ValuesOut, class Order>
[[nodiscard]] cudaError_t sort_pairs(In keys, ValuesIn values, std::int64_t n, Out sorted_keys, ValuesOut sorted_values,
                                     const Order& order, const options& how = {}) {
  static_assert(random_access_input<In> && random_access_input<ValuesIn>,
                "gpuprim::sort_pairs: the keys and the values must be pointers or random-access iterators; a "
                "double_buffer must be a variable");
  using Key = input_value<In>;
  using Value = input_value<ValuesIn>;
  [[maybe_unused]] const detail::refuse_stream<Order> checked{};
  const auto to = detail::sorted_array(sorted_keys);
  const auto values_to = detail::sorted_array(sorted_values);
  static_assert(detail::is_array_of<decltype(to), Key>,
                "gpuprim::sort_pairs: the first output must be an array of keys");
  static_assert(detail::is_array_of<decltype(values_to), Value>,
                "gpuprim::sort_pairs: the second output must be an array of values");
  static_assert(element<Value>, "gpuprim::sort_pairs: the value type must be trivially copyable and assignable");
  const auto chosen = detail::sorting<Key>(order);
  if constexpr (!detail::is_radix_order<detail::sorting_type<Key, Order>>) {
    if (const auto bad = detail::check_no_bits(order); bad.failed()) return bad.report();
    return gpuprim::merge_sort_pairs(keys, values, n, sorted_keys, sorted_values, chosen, how);
  } else {
    const auto go = [&](const auto& from, const auto& values_from) {
      const detail::sort_buffers<Key, Value> out{to, values_to};
      return detail::sort_by_digits(detail::as_constant(from), detail::as_constant(values_from), n, out, chosen, how);
    };
    return detail::with_arrays(go, keys, values).report();
  }
}

/// Sorts keys from the least to the greatest, and moves a value along with each.
template <class In, class ValuesIn, class Out, class ValuesOut>
[[nodiscard]] cudaError_t sort_pairs(In keys, ValuesIn values, std::int64_t n, Out sorted_keys, ValuesOut sorted_values,
                                     const options& how = {}) {
  const radix_order<sort_direction::ascending> order;
  return gpuprim::sort_pairs(keys, values, n, sorted_keys, sorted_values, order, how);
}

/// The launch of `sort` for these arguments that moves keys first, to look at: the only one, or that of a pass over
/// memory, which has others before and behind it. @throws gpuprim::cuda_error.
template <class In, class Out, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] launch_plan sort_plan(In keys, std::int64_t n, Out sorted, const Order& order = {}) {
  return detail::plan_call("gpuprim::sort_plan",
                           [&](const options& how) { return gpuprim::sort(keys, n, sorted, order, how); });
}

/// That of `sort_pairs`. @throws gpuprim::cuda_error.
template <class In, class ValuesIn, class Out, class ValuesOut, class Order = radix_order<sort_direction::ascending>>
[[nodiscard]] launch_plan sort_pairs_plan(In keys, ValuesIn values, std::int64_t n, Out sorted_keys,
                                          ValuesOut sorted_values, const Order& order = {}) {
  return detail::plan_call("gpuprim::sort_pairs_plan", [&](const options& how) {
    return gpuprim::sort_pairs(keys, values, n, sorted_keys, sorted_values, order, how);
  });
}

}  // namespace gpuprim
