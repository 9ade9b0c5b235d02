// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

namespace gpuprim::detail {

/// Strict weak orders.
struct less_than {
  template <class T>
    requires requires(const T& a) { a < a; }
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return a < b; }
};
struct greater_than {
  template <class T>
    requires requires(const T& a) { a < a; }
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return b < a; }
};
template <class Less>
struct reversed {
  Less less;
  template <class T>
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return less(b, a); }
};


/// The equality of keys where the caller names none.
struct same_key {
  template <class Key>
    requires requires(const Key& a) { a == a; }
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const Key& a, const Key& b) const { return a == b; }
};

/// A comparison that converts what it compares to T first.
template <class Compare, class T>
struct comparison_as {
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return Compare{}(a, b); }
};

template <template <class> class Family>
constexpr auto find_comparison_behind() {
  if constexpr (is_standard<Family>("less")) return less_than{};
  else if constexpr (is_standard<Family>("greater")) return greater_than{};
  else if constexpr (is_standard<Family>("equal_to")) return same_key{};
}

/// What compares elements: the library's own in place of another library's, which the device may not be able to call.
template <class Compare>
constexpr auto comparing(const Compare& compare) { return compare; }
template <template <class> class Family, class T>
constexpr auto comparing(const Family<T>& compare) {
  using behind = decltype(detail::find_comparison_behind<Family>());
  if constexpr (std::is_void_v<behind>) return compare;
  else if constexpr (std::is_void_v<T>) return behind{};
  else return comparison_as<behind, T>{};
}

}  // namespace gpuprim::detail
