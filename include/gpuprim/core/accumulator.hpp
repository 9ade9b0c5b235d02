// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

#include <cstdint>

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

}  // namespace detail

/// The type that a reduce works in where the caller names none: U for `plus<U>` and its like; else the element type,
/// but for sums of 16- and 8-bit floats (float) and of 8- and 16-bit integers (int or unsigned) and of bool (int).
template <class Op, class T>
using default_accumulator = typename decltype(detail::choose_accumulator<Op, T>())::type;

/// The type that products of A and B are summed in where the caller names none: of integers 64 bits, signed if one of
/// the two is; double if one is double; float otherwise.
template <class A, class B = A>
using dot_accumulator = std::conditional_t<
    std::is_integral_v<A> && std::is_integral_v<B>,
    std::conditional_t<std::is_signed_v<A> || std::is_signed_v<B>, std::int64_t, std::uint64_t>,
    std::conditional_t<std::is_same_v<A, double> || std::is_same_v<B, double>, double, float>>;

}  // namespace gpuprim
