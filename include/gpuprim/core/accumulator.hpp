// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

#include <cstdint>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <class Op, class T>
constexpr auto choose_accumulator() {
  using fixed = typename fixed_operand<Op>::type;
  constexpr bool grows = is_from<Op, plus> || is_from<Op, multiplies>;
  if constexpr (!std::is_void_v<fixed>) return std::type_identity<fixed>{};
  else if constexpr (is_from<Op, plus> && is_short_float<T>) return std::type_identity<float>{};
  else if constexpr (grows && is_integer<T> && sizeof(T) <= 2) {
    constexpr bool is_unsigned = is_unsigned_integer<T> && !std::is_same_v<T, bool>;
    return std::type_identity<std::conditional_t<is_unsigned, unsigned, int>>{};
  } else {
    return std::type_identity<T>{};
  }
}

/// How much floating-point types hold; 0 of others. Those of 16 and 8 bits hold what none of the others does.
template <class T>
inline constexpr int float_rank = std::is_same_v<T, float>      ? 2
                                  : std::is_floating_point_v<T> ? 3
                                                                : is_short_float<T>;

/// Acc, or the type that an initial value of another number type asks for: of integers one as wide that has both signs
/// if one of the two has, of floating-point types the wider one, and that of the initial value where integers are
/// joined from a floating-point one.
template <class Op, class Acc, class Init>
constexpr auto choose_wider() {
  constexpr int rank = float_rank<Acc>, init_rank = float_rank<Init>;
  if constexpr (init_rank > 0 && is_integer<Acc>) {
    using device_type = std::conditional_t<std::is_same_v<Init, long double>, double, Init>;  // long double: the host's
    return choose_accumulator<Op, device_type>();
  } else if constexpr (init_rank > 0 && rank > 0) {
    constexpr bool need_float = rank == 1 && init_rank == 1 && !std::is_same_v<Acc, Init>;
    if constexpr (need_float || (rank < 2 && init_rank == 2)) return std::type_identity<float>{};
    else return std::type_identity<std::conditional_t<(rank < init_rank), double, Acc>>{};
  } else if constexpr (is_integer<Acc> && is_integer<Init>) {
    constexpr bool is_wider = sizeof(Init) > sizeof(Acc) || (std::is_same_v<Acc, bool> && !std::is_same_v<Init, bool>);
    if constexpr (!is_wider) return std::type_identity<Acc>{};
    else if constexpr (is_unsigned_integer<Init> && is_unsigned_integer<Acc>) return std::type_identity<Init>{};
    else if constexpr (is_wide_integer<Init>) return std::type_identity<int128>{};
    else return std::type_identity<std::make_signed_t<Init>>{};
  } else {
    return std::type_identity<Acc>{};
  }
}

/// Operators whose result has the type of their operands and may be equal to neither. What a `__device__` lambda
/// returns is not known on the host: it joins in the type that the initial value asks for.
template <class Op, class T>
concept computes_in =
    (!is_library_operator<Op> || is_from<Op, plus> || is_from<Op, multiplies>) &&
    std::is_void_v<typename fixed_operand<Op>::type> && (is_device_lambda<Op> || requires(const Op& op, const T& x) {
      requires std::is_same_v<std::remove_cvref_t<decltype(op(x, x))>, T>;
    });

template <class Op, class T, class Init>
constexpr auto choose_accumulator_from() {
  [[maybe_unused]] const refuse_stream<Init> checked{};
  using own = typename decltype(detail::choose_accumulator<Op, T>())::type;
  using wider = typename decltype(detail::choose_wider<Op, own, Init>())::type;
  if constexpr (std::is_same_v<own, wider>) return std::type_identity<own>{};
  else if constexpr (computes_in<Op, wider>) return std::type_identity<wider>{};
  else return std::type_identity<own>{};
}

}  // namespace detail

/// The accumulator's type where the caller names none: U for `plus<U>` and its like, otherwise the element type. Sums
/// of 16- and 8-bit floats are float; sums and products of 8- and 16-bit integers are int or unsigned, those of bool
/// int. An initial value of a wider number type widens sums, products, the caller's operators that return the type of
/// their operands, and `__device__` lambdas: a sum of int that starts from `std::int64_t{0}` has 64 bits, one of float
/// that starts from `0.0` is a double. A floating-point initial value is wider than every integer: a sum of int that
/// starts from `0.0f` is a float.
template <class Op, class T, class Init = void>
using default_accumulator = typename decltype(detail::choose_accumulator_from<Op, T, Init>())::type;

/// The type that products of A and B are summed in where the caller names none: of integers 64 bits, signed if one of
/// the two is; double if one is double; float otherwise.
template <class A, class B = A>
using dot_accumulator =
    std::conditional_t<std::is_integral_v<A> && std::is_integral_v<B>,
                       std::conditional_t<std::is_signed_v<A> || std::is_signed_v<B>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_same_v<A, double> || std::is_same_v<B, double>, double, float>>;

}  // namespace gpuprim
