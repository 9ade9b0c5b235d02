// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/orders.hpp>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

// The comparisons where the caller names none. They are for the device alone, where nvcc refuses an operator of the
// host; in a function for both it would only warn, and drop the comparison.

/// The equality of keys.
struct equal_keys {
  template <class Key>
    requires(is_half_precision<Key> || requires(const Key& a) { a == a; })
  __device__ bool operator()(const Key& a, const Key& b) const {
    if constexpr (is_half_precision<Key>) return __heq(a, b);
    else return a == b;
  }
};

/// The order of elements, and of elements and values that may have another type.
struct comes_before {
  template <class A, class B>
    requires(are_half_precision<A, B> || requires(const A& a, const B& b) { a < b; })
  __device__ bool operator()(const A& a, const B& b) const {
    if constexpr (is_half_precision<A> && std::is_same_v<A, B>) return __hlt(a, b);
    else if constexpr (are_half_precision<A, B>) return detail::half_to_float(a) < detail::half_to_float(b);
    else return a < b;
  }
};

template <class Equal, class Key>
inline constexpr bool is_equality_on =
    is_device_lambda<Equal> || std::is_invocable_r_v<bool, const Equal&, const Key&, const Key&>;

/// What compares elements in a kernel that a host call launches.
template <class Compare>
constexpr auto comparing_in_call(const Compare& compare) {
  static_assert(is_function_object<Compare>);
  return detail::comparing(compare);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
