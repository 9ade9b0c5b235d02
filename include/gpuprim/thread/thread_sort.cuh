// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/orders.hpp>
#include <gpuprim/core/uninitialized.hpp>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

template <class T>
GPUPRIM_HOST_DEVICE constexpr void exchange_if(bool condition, T& a, T& b) {
  const T first = a, second = b;
  a = condition ? second : first;
  b = condition ? first : second;
}

/// Only neighbours change places, and only if the later one is less: equal ones do not.
GPUPRIM_ALLOW_DEVICE_CALLS
template <int Items, class Less, class Key, class... Values>
GPUPRIM_HOST_DEVICE constexpr void sort_by_neighbours(const Less& less, Key* keys, Values*... values) {
  for (int round = 0; round < Items; ++round) {
    for (int i = round % 2; i + 1 < Items; i += 2) {
      const bool is_wrong = less(keys[i + 1], keys[i]);
      detail::exchange_if(is_wrong, keys[i], keys[i + 1]);
      (detail::exchange_if(is_wrong, values[i], values[i + 1]), ...);
    }
  }
}

template <class Key, class Less>
GPUPRIM_HOST_DEVICE constexpr void check_thread_sort() {
  static_assert(element<Key>, "gpuprim::thread_sort: the element type must be trivially copyable and assignable");
  static_assert(is_order_on<Less, Key>,
                "gpuprim::thread_sort: the order's const operator() must take two keys and say whether the first is "
                "less");
}

}  // namespace detail

/// Sorts keys in registers, in place.
///
/// @pre   `less(a, b)` says whether a comes before b, and is a strict weak order.
/// @sync  none.
/// @order kept among equal keys.
/// @cost  Items * (Items - 1) / 2 comparisons, Items of them one after the other; all places are constants, so that the
///        array stays in registers.
/// @source Habermann, "Parallel neighbor-sort", 1972: odd-even transposition.
/// @example examples/library/66_merge_sort.cu
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Key, int Items, class Less>
GPUPRIM_HOST_DEVICE constexpr void thread_sort(Key (&keys)[Items], const Less& less) {
  const auto order = detail::comparing(less);
  detail::check_thread_sort<Key, std::remove_const_t<decltype(order)>>();
  detail::sort_by_neighbours<Items>(order, keys);
}

/// Sorts keys in registers, in place, and a value beside each of them.
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Key, class Value, int Items, class Less>
GPUPRIM_HOST_DEVICE constexpr void thread_sort(Key (&keys)[Items], Value (&values)[Items], const Less& less) {
  const auto order = detail::comparing(less);
  detail::check_thread_sort<Key, std::remove_const_t<decltype(order)>>();
  detail::sort_by_neighbours<Items>(order, keys, values);
}

/// Sorts keys in registers that are bitonic: they rise and then fall, or would after a rotation.
///
/// @pre   as thread_sort; Items is a power of two.
/// @sync  none.
/// @order not kept among equal keys.
/// @cost  Items / 2 * log2(Items) comparisons, log2(Items) of them one after the other.
/// @source Batcher, "Sorting networks and their applications", 1968.
/// @example examples/library/66_merge_sort.cu
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Key, int Items, class Less>
GPUPRIM_HOST_DEVICE constexpr void thread_bitonic_merge(Key (&keys)[Items], const Less& less) {
  static_assert((Items & (Items - 1)) == 0, "gpuprim::thread_bitonic_merge: the number of keys must be a power of two");
  const auto order = detail::comparing(less);
  detail::check_thread_sort<Key, std::remove_const_t<decltype(order)>>();
  for (int stride = Items / 2; stride > 0; stride /= 2) {
    for (int i = 0; i < Items; ++i) {
      if ((i & stride) == 0) {
        detail::exchange_if(order(keys[i + stride], keys[i]), keys[i], keys[i + stride]);
      }
    }
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
