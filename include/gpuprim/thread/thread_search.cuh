// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/orders.hpp>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// The order of elements and values, which may have another type.
struct before_or_behind {
  template <class A, class B>
    requires(std::is_invocable_v<less_than, const A&, const B&> || requires(const A& a, const B& b) { a < b; })
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const A& a, const B& b) const {
    if constexpr (std::is_same_v<A, B>) return less_than{}(a, b);
    else return a < b;
  }
};

/// At which place of a sorted range a value is inserted.
enum class insertion { first, last };

/// Whether an element lies before that place.
GPUPRIM_ALLOW_DEVICE_CALLS
template <insertion Which, class T, class Value, class Less>
GPUPRIM_HOST_DEVICE constexpr bool lies_before_bound(const T& x, const Value& value, const Less& less) {
  if constexpr (Which == insertion::first) return less(x, value);
  else return !less(value, x);
}

GPUPRIM_ALLOW_DEVICE_CALLS
template <insertion Which, class Sorted, class Index, class Value, class Less>
GPUPRIM_HOST_DEVICE constexpr Index find_bound(const Sorted& sorted, Index n, const Value& value, const Less& less) {
  const auto order = detail::comparing(less);
  Index first = 0;
  while (n > 0) {
    const Index half = n / 2;
    const bool goes_on = detail::lies_before_bound<Which>(sorted[first + half], value, order);
    if (goes_on) first += half + 1;
    n = goes_on ? n - half - 1 : half;
  }
  return first;
}

}  // namespace detail

/// Finds the number of elements of a sorted range that come before a value: the first position at which it could be
/// inserted.
///
/// @pre   `sorted`: n elements in the order of `less`, in registers, shared or global memory, which are indexed by
///        Index, an int or a 64-bit integer. `less` takes an element and a value, in both orders; by default `<`.
/// @sync  none.
/// @order the first of equal elements.
/// @cost  log2(n) + 1 comparisons, one after the other.
/// @return the position, from 0 to n.
/// @source std::lower_bound.
/// @example examples/library/92_sorted_search.cu
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Sorted, class Index, class Value, class Less = detail::before_or_behind>
GPUPRIM_HOST_DEVICE constexpr Index thread_lower_bound(const Sorted& sorted, Index n, const Value& value,
                                                       const Less& less = {}) {
  return detail::find_bound<detail::insertion::first>(sorted, n, value, less);
}

/// Finds the number of elements of a sorted range that do not come after a value: the last position at which it could
/// be inserted. See thread_lower_bound.
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Sorted, class Index, class Value, class Less = detail::before_or_behind>
GPUPRIM_HOST_DEVICE constexpr Index thread_upper_bound(const Sorted& sorted, Index n, const Value& value,
                                                       const Less& less = {}) {
  return detail::find_bound<detail::insertion::last>(sorted, n, value, less);
}

/// Whether a sorted range has an element that is equal to a value: neither comes before the other. See
/// thread_lower_bound.
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Sorted, class Index, class Value, class Less = detail::before_or_behind>
GPUPRIM_HOST_DEVICE constexpr bool thread_binary_search(const Sorted& sorted, Index n, const Value& value,
                                                        const Less& less = {}) {
  const Index at = gpuprim::thread_lower_bound(sorted, n, value, less);
  return at < n && !detail::comparing(less)(value, sorted[at]);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
