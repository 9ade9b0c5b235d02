// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/half_precision.hpp>
#include <gpuprim/core/operator_traits.hpp>

#include <limits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// The value e with op(e, x) == x == op(x, e). Specialize it, with a static `value()`, for an operator of your own: a
/// reduce then needs no flag beside each partial result.
template <class Op, class T>
struct identity_element {};

namespace detail {

/// The bounds of a type. As constants, because device code may use those but not call host functions.
template <class T>
struct bounds {
  using limits = std::numeric_limits<std::conditional_t<is_half_precision<T>, float, T>>;
  static constexpr auto lowest = limits::has_infinity ? -limits::infinity() : (limits::lowest)();
  static constexpr auto highest = limits::has_infinity ? limits::infinity() : (limits::max)();
};

}  // namespace detail

template <class Op, class T>
  requires(detail::is_library_operator_on<Op, T> && is_wide_number<T>)
struct identity_element<Op, T> {
  GPUPRIM_HOST_DEVICE static constexpr T value() {
    if constexpr (detail::is_from<Op, minimum>) return from(detail::bounds<T>::highest);
    else if constexpr (detail::is_from<Op, maximum>) return from(detail::bounds<T>::lowest);
    else if constexpr (detail::is_from<Op, bit_and> && std::is_same_v<T, bool>) return true;
    else if constexpr (detail::is_from<Op, bit_and>) return static_cast<T>(~T{});
    else return from(detail::is_from<Op, multiplies> || detail::is_from<Op, logical_and> ? 1.0f : 0.0f);
  }

 private:
  template <class Number>
  GPUPRIM_HOST_DEVICE static constexpr T from(Number x) {
    return static_cast<T>(detail::convertible<T>(x));
  }
};

template <class Op, class T>
struct identity_element<detail::operator_in_place_of<Op>, T> : identity_element<Op, T> {};

/// True if `identity_element<Op, T>::value()` exists.
template <class Op, class T>
inline constexpr bool has_identity = requires { static_cast<T>(identity_element<Op, T>::value()); };

namespace detail {

/// What no values are joined to: the identity. Where there is none, it is some value.
GPUPRIM_ALLOW_DEVICE_CALLS
template <class Op, class T>
GPUPRIM_HOST_DEVICE constexpr T identity_or([[maybe_unused]] const T& value) {
  if constexpr (has_identity<Op, T>) return static_cast<T>(identity_element<Op, T>::value());
  else return value;
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
