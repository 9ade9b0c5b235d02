// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/identity.hpp>

namespace gpuprim::detail {

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
};

/// An operator together with an identity, so that code above need not count which of its values exist.
/// Where the operator has no identity, "nothing" is made one.
template <class T, class Op, bool HasIdentity = has_identity<Op, T>>
struct monoid {
  using value_type = T;
  Op op;

  GPUPRIM_HOST_DEVICE static T empty() { return identity_element<Op, T>::value(); }
  GPUPRIM_HOST_DEVICE static const T& unwrap(const T& v) { return v; }
  GPUPRIM_HOST_DEVICE T operator()(const T& a, const T& b) const { return op(a, b); }
};

template <class T, class Op>
struct monoid<T, Op, false> {
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

}  // namespace gpuprim::detail
