// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>
#include <gpuprim/core/half_precision.hpp>
#include <gpuprim/core/names.hpp>

namespace gpuprim::inline v0_1_0 {
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

namespace detail {

template <template <class> class Family, class T>
GPUPRIM_HOST_DEVICE constexpr auto find_operator_behind() {
  if constexpr (is_standard_or_of_groups<Family>("plus")) return std::type_identity<plus<T>>{};
  else if constexpr (is_standard<Family>("minus")) return std::type_identity<minus<T>>{};
  else if constexpr (is_standard<Family>("multiplies")) return std::type_identity<multiplies<T>>{};
  else if constexpr (is_choice<Family>("minimum", "less")) return std::type_identity<minimum<T>>{};
  else if constexpr (is_choice<Family>("maximum", "greater")) return std::type_identity<maximum<T>>{};
  else if constexpr (is_standard_or_of_groups<Family>("bit_and")) return std::type_identity<bit_and<T>>{};
  else if constexpr (is_standard_or_of_groups<Family>("bit_or")) return std::type_identity<bit_or<T>>{};
  else if constexpr (is_standard_or_of_groups<Family>("bit_xor")) return std::type_identity<bit_xor<T>>{};
  else if constexpr (is_standard<Family>("logical_and")) return std::type_identity<logical_and<T>>{};
  else if constexpr (is_standard<Family>("logical_or")) return std::type_identity<logical_or<T>>{};
  else return std::type_identity<Family<T>>{};
}

template <class Op>
struct operator_behind_name {
  using type = Op;
};
template <template <class> class Family, class T>
struct operator_behind_name<Family<T>> : decltype(find_operator_behind<Family, T>()) {};

/// The library's operator that Op is under a name of std, cuda::std, cuda, thrust or cooperative_groups; others are
/// themselves.
template <class Op>
using operator_behind = typename operator_behind_name<Op>::type;

/// True for a function object of another library that means an operator of its operands: one that takes every type, one
/// of numbers, and one of std that no program has specialized. Those of libstdc++ have the types of their operands as
/// members. A program's own specialization has no such members, and is called as it is.
template <class Named>
inline constexpr bool means_its_operator = requires { typename Named::first_argument_type; };
template <template <class> class Family, class T>
  requires(std::is_void_v<T> || is_wide_number<T>)
inline constexpr bool means_its_operator<Family<T>> = true;

/// Computes as the library's operator does that is behind the name Op, and has the traits that a program gives to Op.
template <class Op>
struct operator_in_place_of : operator_behind<Op> {};

template <class Op, template <class> class Family>
inline constexpr bool is_specialization = false;
template <class T, template <class> class Family>
inline constexpr bool is_specialization<Family<T>, Family> = true;

template <class Op, template <class> class Family>
inline constexpr bool is_from = is_specialization<operator_behind<Op>, Family>;

template <class Op>
inline constexpr bool is_library_operator =
    is_from<Op, plus> || is_from<Op, multiplies> || is_from<Op, minimum> || is_from<Op, maximum> ||
    is_from<Op, bit_and> || is_from<Op, bit_or> || is_from<Op, bit_xor> || is_from<Op, logical_and> ||
    is_from<Op, logical_or>;

/// The type that a library operator fixes: U of `plus<U>`; void if it takes its arguments' type, and for others.
template <class Op>
struct fixed_operand {
  using type = void;
};
template <class U, template <class> class Family>
  requires is_library_operator<Family<U>>
struct fixed_operand<Family<U>> {
  using type = U;
};

/// True if what is known of a family holds for its operator on T: of `minimum<unsigned>` on int it does not.
template <class Op, class T>
inline constexpr bool is_library_operator_on =
    is_library_operator<Op> &&
    (std::is_void_v<typename fixed_operand<Op>::type> || std::is_same_v<typename fixed_operand<Op>::type, T>);

}  // namespace detail

/// True if `op(a, b) == op(b, a)` for every pair: a reduce then need not keep the order, which costs work. Specialize
/// it for an operator of your own; the default is the safe answer.
template <class Op, class T>
inline constexpr bool is_commutative = detail::is_library_operator_on<Op, T> && is_wide_number<T>;
template <class Op, class T>
inline constexpr bool is_commutative<detail::operator_in_place_of<Op>, T> = is_commutative<Op, T>;

namespace detail {

/// True if `op(a, b)` and `op(b, a)` are even the same bits. The minimum of zeros of both signs is the first of them,
/// and a user's operator may round otherwise when its operands trade places.
template <class Op, class T>
inline constexpr bool commutes_bitwise = is_commutative<Op, T> && is_library_operator<Op> &&
                                         (is_from<Op, plus> || is_from<Op, multiplies> || std::is_integral_v<T> ||
                                          is_wide_integer<T>);

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
