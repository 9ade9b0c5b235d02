// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Strict weak orders.
struct less_than {
  template <class T>
    requires(is_half_precision<T> || requires(const T& a) { a < a; })
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    if constexpr (is_half_precision<T>) return __hlt(a, b);
    else return a < b;
  }
};
struct greater_than {
  template <class T>
    requires(is_half_precision<T> || requires(const T& a) { a < a; })
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    if constexpr (is_half_precision<T>) return __hlt(b, a);
    else return b < a;
  }
};
template <class Less>
struct reversed {
  Less less;
  template <class T> GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return less(b, a); }
};

/// What a device lambda returns is not known on the host.
template <class Less, class T>
inline constexpr bool is_order_on =
    is_device_lambda<Less> || std::is_invocable_r_v<bool, const Less&, const T&, const T&>;

/// An equality of keys, for host and device.
struct same_key {
  template <class Key>
    requires(is_half_precision<Key> || requires(const Key& a) { a == a; })
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const Key& a, const Key& b) const {
    if constexpr (is_half_precision<Key>) return __heq(a, b);
    else return a == b;
  }
};

/// Compares as another library's Compare does, of Ts or of anything, but by the library's own comparison, because a
/// device may not be able to call the other.
template <class Own, class Compare, class T>
struct comparison_in_place_of {
  template <class A>
    requires(is_half_precision<A> || std::is_invocable_r_v<bool, const Compare&, const A&, const A&>)
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const A& a, const A& b) const {
    if constexpr (std::is_void_v<T>) return Own{}(a, b);
    else return Own{}(static_cast<const T&>(a), static_cast<const T&>(b));
  }
};

template <template <class> class Family>
constexpr auto find_comparison_behind() {
  if constexpr (is_standard<Family>("less")) return less_than{};
  else if constexpr (is_standard<Family>("greater")) return greater_than{};
  else if constexpr (is_standard<Family>("equal_to")) return same_key{};
}

/// What compares elements in place of what the caller gives.
template <class Compare> GPUPRIM_HOST_DEVICE constexpr auto comparing(const Compare& compare) { return compare; }
template <template <class> class Family, class T>
GPUPRIM_HOST_DEVICE constexpr auto comparing(const Family<T>& compare) {
  using own = decltype(detail::find_comparison_behind<Family>());
  if constexpr (std::is_void_v<own> || !means_its_operator<Family<T>>) return compare;
  else return comparison_in_place_of<own, Family<T>, T>{};
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
