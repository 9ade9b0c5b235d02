// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

#include <cstdint>
#include <limits>

namespace gpuprim {

namespace detail {

template <class Op, class T>
constexpr auto choose_accumulator() {
  using fixed = typename fixed_operand<Op>::type;
  if constexpr (!std::is_void_v<fixed>) return std::type_identity<fixed>{};
  else if constexpr (is_from<Op, plus> && is_short_float<T>) return std::type_identity<float>{};
  else if constexpr (is_from<Op, plus> && std::is_integral_v<T> && sizeof(T) <= 2) {
    constexpr bool is_unsigned = std::is_unsigned_v<T> && !std::is_same_v<T, bool>;
    return std::type_identity<std::conditional_t<is_unsigned, unsigned, int>>{};
  } else {
    return std::type_identity<T>{};
  }
}

/// Acc, or a number type as wide as Init that holds what both hold.
template <class Acc, class Init>
constexpr auto choose_wider() {
  if constexpr (!std::is_arithmetic_v<Acc> || !std::is_arithmetic_v<Init> || std::is_same_v<Acc, bool>) {
    return std::type_identity<Acc>{};
  } else if constexpr (std::is_floating_point_v<Init>) {
    using wide = std::conditional_t<std::is_same_v<Init, float>, float, double>;  // long double is the host's
    constexpr bool is_wider = std::numeric_limits<wide>::digits > std::numeric_limits<Acc>::digits;
    return std::type_identity<std::conditional_t<is_wider, wide, Acc>>{};
  } else if constexpr (std::is_integral_v<Acc> && sizeof(Init) > sizeof(Acc)) {
    constexpr bool is_unsigned = std::is_unsigned_v<Init> && std::is_unsigned_v<Acc>;
    return std::type_identity<std::conditional_t<is_unsigned, Init, std::make_signed_t<Init>>>{};
  } else {
    return std::type_identity<Acc>{};
  }
}

/// Operators whose result has the type of their operands and may be equal to neither.
template <class Op, class T>
concept computes_in = (!is_library_operator<Op> || is_from<Op, plus> || is_from<Op, multiplies>) &&
                      std::is_void_v<typename fixed_operand<Op>::type> && !is_device_lambda<Op> &&
                      requires(const Op& op, const T& x) {
                        requires std::is_same_v<std::remove_cvref_t<decltype(op(x, x))>, T>;
                      };

template <class Op, class T, class Init>
constexpr auto choose_accumulator_from() {
  using own = typename decltype(detail::choose_accumulator<Op, T>())::type;
  using wider = typename decltype(detail::choose_wider<own, Init>())::type;
  if constexpr (std::is_same_v<own, wider>) return std::type_identity<own>{};
  else if constexpr (computes_in<Op, wider>) return std::type_identity<wider>{};
  else return std::type_identity<own>{};
}

}  // namespace detail

/// The accumulator's type where the caller names none: U for `plus<U>` and its like, otherwise the element type. Sums
/// of 16- and 8-bit floats are float, those of 8- and 16-bit integers int or unsigned, those of bool int. An initial
/// value of a wider number type widens sums, products and the caller's operators that return the type of their
/// operands: a sum of int that starts from `std::int64_t{0}` has 64 bits, one of float that starts from `0.0` is a
/// double.
template <class Op, class T, class Init = void>
using default_accumulator = typename decltype(detail::choose_accumulator_from<Op, T, Init>())::type;

/// The type that products of A and B are summed in where the caller names none: of integers 64 bits, signed if one of
/// the two is; double if one is double; float otherwise.
template <class A, class B = A>
using dot_accumulator = std::conditional_t<
    std::is_integral_v<A> && std::is_integral_v<B>,
    std::conditional_t<std::is_signed_v<A> || std::is_signed_v<B>, std::int64_t, std::uint64_t>,
    std::conditional_t<std::is_same_v<A, double> || std::is_same_v<B, double>, double, float>>;

}  // namespace gpuprim
