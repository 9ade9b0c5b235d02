// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/arguments/sorted_arrays.cuh>
#include <gpuprim/device/sort/sort_launch.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Whether a comparison is the library's own, where Key has numbers.
template <class Own, class Compare, class Key>
inline constexpr bool compares_as = std::is_same_v<Own, Compare>;
template <class Own, class Other, class T, class Key>
inline constexpr bool compares_as<Own, comparison_in_place_of<Own, Other, T>, Key> =
    std::is_void_v<T> || std::is_same_v<T, Key>;

/// What a sort does for an order: numbers, and what a projection makes of keys, are sorted by their digits, a
/// radix_order; all else by a comparison.
template <class Key, class Order>
constexpr auto sorting(const Order& order) {
  static_assert(element<Key>, "gpuprim::sort, sort_pairs: the key type must be trivially copyable and assignable");
  if constexpr (is_radix_order<Order>) {
    using projection = std::remove_cv_t<decltype(order.projection)>;
    static_assert(is_function_object<projection>);
    constexpr bool is_whole = std::is_same_v<projection, whole_key>;
    static_assert(!is_whole || has_radix_key<Key> || is_order_on<comes_before, Key>,
                  "gpuprim::sort, sort_pairs: keys without a < need a comparison, or ascending.by(projection), where "
                  "projection(key) is a number or a gpuprim::tuple of numbers");
    if constexpr (!is_whole || has_radix_key<Key>) return order;
    else if constexpr (Order::direction == sort_direction::ascending) return comes_before{};
    else return reversed<comes_before>{};
  } else {
    const auto compare = detail::comparing_in_call(order);
    using compare_type = std::remove_const_t<decltype(compare)>;
    static_assert(is_order_on<compare_type, Key>,
                  "gpuprim::sort, sort_pairs: the order must be gpuprim::ascending or gpuprim::descending, or its "
                  "const operator() must take two keys and say whether the first comes first");
    if constexpr (is_number<Key> && compares_as<less_than, compare_type, Key>) {
      return radix_order<sort_direction::ascending>{};
    } else if constexpr (is_number<Key> && compares_as<greater_than, compare_type, Key>) {
      return radix_order<sort_direction::descending>{};
    } else {
      return compare;
    }
  }
}
template <class Key, class Order>
using sorting_type = std::remove_cv_t<decltype(detail::sorting<Key>(std::declval<const Order&>()))>;

/// Finds the bits that an order compares in a sort.
template <class Order, class Sort>
outcome find_bits(const Order& order, Sort& sort) {
  constexpr int bits = decltype(sort.order)::bits;
  sort.first_bit = order.first_bit;
  sort.end_bit = 0 > order.end_bit ? bits : order.end_bit;
  if (sort.first_bit >= 0 && sort.first_bit <= sort.end_bit && sort.end_bit <= bits) {
    if (sort.first_bit == sort.end_bit) sort.first_bit = sort.end_bit = 0;  // a word is not shifted by all that it has
    return {};
  }
  return {cudaErrorInvalidValue, "the order compares bits that a key does not have"};
}

/// Refuses a range of bits where keys are compared whole.
template <class Order>
outcome check_no_bits(const Order& order) {
  if constexpr (is_radix_order<Order>) {
    if (order.first_bit != 0 || order.end_bit >= 0) {
      return {cudaErrorInvalidValue, "the order compares bits of keys that are no numbers"};
    }
  }
  return {};
}

template <class Key, class Value, class Order>
using radix_sort_of =
    radix_sort<tuned_sort_policies, decltype(detail::digits_of_sort<Key, Value>(std::declval<const Order&>())), Key,
               Value>;

/// The radix sort of n keys by an order whose bits are to be found.
template <class Key, class Value, class Order>
radix_sort_of<Key, Value, Order> make_radix_sort(const Order& order, std::int64_t n) {
  static_assert(sizeof(Key) <= 128,
                "gpuprim::sort, sort_pairs: keys that are sorted by their digits have at most 128 "
                "bytes; sort their positions");
  return {detail::digits_of_sort<Key, Value>(order), n, 0, 0};
}

/// Sorts keys, and values with them unless these are `no_values`; the arguments are checked.
template <sort_policies Policies, class Digits, class KeysIn, class ValuesIn, class Key, class Value>
outcome run_sort(const radix_sort<Policies, Digits, Key, Value>& sort, const KeysIn& keys, const ValuesIn& values,
                 const sort_buffers<Key, Value>& out, const options& how) {
  using radix = radix_sort<Policies, Digits, Key, Value>;
  outcome done;
  if (sort.n == 0 || sort.run_in_one_launch(keys, values, out, how, done)) return done;
  memory_lease lease(radix::find_workspace_size(sort.n), how);
  if (lease.error()) return lease.refusal();
  const auto other = radix::lay_over(lease.scratch() + radix::state_bytes(sort.n), sort.n);
  const auto state = radix::lay_over_state(lease.zeroed(), lease.scratch(), sort.n);
  return lease.finish(sort.run_passes(keys, values, out, other, state, how));
}

/// Sorts what lies in one of two buffers, and says whether the result is in the other one.
template <sort_policies Policies, class Digits, class Key, class Value>
outcome run_sort_in_buffers(const radix_sort<Policies, Digits, Key, Value>& sort,
                            const sort_buffers<Key, Value>& current, const sort_buffers<Key, Value>& other,
                            bool& is_in_other, const options& how) {
  using radix = radix_sort<Policies, Digits, Key, Value>;
  static_assert(radix::fits,
                "gpuprim::sort_pairs: in two buffers a key and its value are too long for the shared memory of a GPU; "
                "sort their positions");
  using values_in = std::conditional_t<radix::has_values, const Value*, no_values>;
  const Key* const keys = current.keys;
  values_in values{};
  if constexpr (radix::has_values) values = current.values;
  is_in_other = false;
  outcome done;
  if (sort.n == 0 || sort.run_in_one_launch(keys, values, current, how, done)) return done;
  is_in_other = sort.count_passes() % 2 == 1;
  const auto& out = is_in_other ? other : current;
  memory_lease lease(radix::find_own_size(sort.n), how);
  done = lease.refusal();
  if (!lease.error()) {
    const auto state = radix::lay_over_state(lease.zeroed(), lease.scratch(), sort.n);
    done = lease.finish(sort.run_passes(keys, values, out, is_in_other ? current : other, state, how));
  }
  if (done.failed() || is_dry_run(how)) is_in_other = false;
  return done;
}

}  // namespace gpuprim::detail
