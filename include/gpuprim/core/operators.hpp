// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>
#include <gpuprim/core/half_precision.hpp>
#include <gpuprim/core/operator_traits.hpp>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// What sums and products of T are computed in: integers unsigned, so that they wrap and never are undefined behaviour.
template <class T>
using wrapping =
    std::conditional_t<is_wide_integer<T>, uint128,
                       std::conditional_t<!std::is_integral_v<T> || std::is_same_v<T, bool>, T,
                                          std::conditional_t<sizeof(T) <= 4, unsigned, unsigned long long>>>;

}  // namespace detail

/// Sum. `plus<T>` fixes the type, `plus<>` takes it from its arguments. Integer sums wrap.
template <class T = void>
struct plus {
  /// a + b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires(is_half_precision<T> || requires { detail::wrapping<T>(a) + detail::wrapping<T>(b); })
  {
    using W = detail::wrapping<T>;
    if constexpr (is_half_precision<T>) return __hadd(a, b);
    else return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
  }
};

/// Difference, which is not associative: no reduce and no scan takes it. Integer differences wrap.
template <class T = void>
struct minus {
  /// a - b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires(is_half_precision<T> || requires { detail::wrapping<T>(a) - detail::wrapping<T>(b); })
  {
    using W = detail::wrapping<T>;
    if constexpr (is_half_precision<T>) return __hsub(a, b);
    else return static_cast<T>(static_cast<W>(a) - static_cast<W>(b));
  }
};

/// Product. Integer products wrap.
template <class T = void>
struct multiplies {
  /// a * b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires(is_half_precision<T> || requires { detail::wrapping<T>(a) * detail::wrapping<T>(b); })
  {
    using W = detail::wrapping<T>;
    if constexpr (is_half_precision<T>) return __hmul(a, b);
    else return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
  }
};

/// The smaller value, the first of equals. With a NaN among the values the result is unspecified.
template <class T = void>
struct minimum {
  /// b where b < a, else a.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires(is_half_precision<T> || requires { b < a; })
  {
    if constexpr (is_half_precision<T>) return __hlt(b, a) ? b : a;
    else return b < a ? b : a;
  }
};

/// The larger value, the first of equals. With a NaN among the values the result is unspecified.
template <class T = void>
struct maximum {
  /// b where a < b, else a.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires(is_half_precision<T> || requires { a < b; })
  {
    if constexpr (is_half_precision<T>) return __hlt(a, b) ? b : a;
    else return a < b ? b : a;
  }
};

/// Bitwise and.
template <class T = void>
struct bit_and {
  /// a & b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires requires { a & b; }
  {
    return static_cast<T>(a & b);
  }
};

/// Bitwise or.
template <class T = void>
struct bit_or {
  /// a | b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires requires { a | b; }
  {
    return static_cast<T>(a | b);
  }
};

/// Bitwise exclusive or.
template <class T = void>
struct bit_xor {
  /// a ^ b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires requires { a ^ b; }
  {
    return static_cast<T>(a ^ b);
  }
};

/// True if both are.
template <class T = void>
struct logical_and {
  /// a && b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires(is_half_precision<T> || requires { a && b; })
  {
    if constexpr (is_half_precision<T>) return detail::to_half<T>(detail::is_nonzero(a) && detail::is_nonzero(b));
    else return static_cast<T>(a && b);
  }
};

/// True if one is.
template <class T = void>
struct logical_or {
  /// a || b.
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const
    requires(is_half_precision<T> || requires { a || b; })
  {
    if constexpr (is_half_precision<T>) return detail::to_half<T>(detail::is_nonzero(a) || detail::is_nonzero(b));
    else return static_cast<T>(a || b);
  }
};

/// x * x, computed in T.
template <class T>
struct square {
  /// x * x.
  template <class U>
  GPUPRIM_HOST_DEVICE constexpr T operator()(const U& x) const {
    return multiplies<T>{}(static_cast<T>(detail::convertible<T>(x)), static_cast<T>(detail::convertible<T>(x)));
  }
};

namespace detail {

/// `Family<void>`: the call operator takes its type from the arguments.
template <template <class> class Family>
struct generic_operator {
  template <class T>
    requires std::is_invocable_v<Family<T>, const T&, const T&>
  GPUPRIM_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const {
    return Family<T>{}(a, b);
  }
};

}  // namespace detail

template <> struct plus<void> : detail::generic_operator<plus> {};
template <> struct minus<void> : detail::generic_operator<minus> {};
template <> struct multiplies<void> : detail::generic_operator<multiplies> {};
template <> struct minimum<void> : detail::generic_operator<minimum> {};
template <> struct maximum<void> : detail::generic_operator<maximum> {};
template <> struct bit_and<void> : detail::generic_operator<bit_and> {};
template <> struct bit_or<void> : detail::generic_operator<bit_or> {};
template <> struct bit_xor<void> : detail::generic_operator<bit_xor> {};
template <> struct logical_and<void> : detail::generic_operator<logical_and> {};
template <> struct logical_or<void> : detail::generic_operator<logical_or> {};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
