// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/identity.hpp>

#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// A value or nothing.
template <class T>
struct maybe {
  union {
    T value;
    unsigned char none[sizeof(T)];  // zeroed, so that nothing too can be copied
  };
  bool present;

  GPUPRIM_HOST_DEVICE constexpr maybe() : none{}, present(false) {}
  GPUPRIM_HOST_DEVICE constexpr maybe(const T& v) : value(v), present(true) {}

  GPUPRIM_HOST_DEVICE constexpr bool has_value() const { return present; }
  GPUPRIM_HOST_DEVICE constexpr const T& operator*() const { return value; }
};

/// An address that a kernel gets as a value, and does not access.
template <class T>
struct address_value {
  T address;
  constexpr address_value(T a) : address(a) {}
  GPUPRIM_HOST_DEVICE constexpr operator const T&() const { return address; }
};

/// The parameter of a kernel that takes a value of T. A pointer among the parameters is taken for an array, and the
/// host SIMT device checks that it is the device's.
template <class T>
using kernel_value = std::conditional_t<std::is_pointer_v<T>, address_value<T>, T>;

/// An operator with the identity that it has.
template <class T, class Op>
struct identity_monoid {
  using value_type = T;
  Op op;

  GPUPRIM_HOST_DEVICE static T empty() { return identity_element<Op, T>::value(); }
  GPUPRIM_HOST_DEVICE static const T& unwrap(const T& v) { return v; }
  GPUPRIM_HOST_DEVICE T operator()(const T& a, const T& b) const { return op(a, b); }
};

/// An operator on values of which some may be absent: "nothing" is its identity.
template <class T, class Op>
struct maybe_monoid {
  using value_type = maybe<T>;
  Op op;

  GPUPRIM_HOST_DEVICE static maybe<T> empty() { return {}; }
  GPUPRIM_HOST_DEVICE static const T& unwrap(const maybe<T>& v) { return v.value; }
  GPUPRIM_HOST_DEVICE maybe<T> operator()(const maybe<T>& a, const maybe<T>& b) const {
    if (!a.present) return b;
    if (!b.present) return a;
    return maybe<T>(op(a.value, b.value));
  }
};

/// An operator together with an identity, so that its callers need not count which of their values exist.
template <class T, class Op>
using monoid = std::conditional_t<has_identity<Op, T>, identity_monoid<T, Op>, maybe_monoid<T, Op>>;

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
