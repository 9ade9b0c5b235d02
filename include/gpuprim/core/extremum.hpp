// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/orders.hpp>

#include <cstdint>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// An element, and where it is in the input: its first position, or the number of elements if there is none.
template <class T, class Position = std::int64_t>
struct extremum {
  /// The element.
  T value;
  /// Its index in the input.
  Position position;
  /// Equal if both members are.
  friend bool operator==(const extremum&, const extremum&) = default;
};
template <class T, class Position>
extremum(T, Position) -> extremum<T, Position>;

namespace detail {

/// True for the built-in order of numbers: there is a last value, and NaN, which is unordered, is known.
template <class Less, class T>
inline constexpr bool is_number_order =
    is_number<T> && (std::is_same_v<Less, less_than> || std::is_same_v<Less, greater_than>);

/// The value that comes after all others in a number order.
template <class Less, class T>
GPUPRIM_HOST_DEVICE constexpr T last_value() {
  using join = std::conditional_t<std::is_same_v<Less, less_than>, minimum<>, maximum<>>;
  return identity_element<join, T>::value();
}

/// The position of no element.
template <class Position>
inline constexpr Position no_position = bounds<Position>::highest;

/// True if the second of two elements with their positions comes first in an order of values; of equivalent ones that
/// at the lower position, so that the choice commutes.
template <class Less, class T, class Position>
GPUPRIM_HOST_DEVICE constexpr bool is_second_first(const Less& less, const T& a, Position at_a, const T& b,
                                                   Position at_b) {
  if constexpr (is_number_order<Less, T>) {
    const bool before = less(b, a), after = less(a, b);
    return before | (!after & (at_b < at_a));
  } else {
    if (at_b == no_position<Position>) return false;
    if (at_a == no_position<Position>) return true;
    // A user's order may take work: one call is enough to know whether the element that is later comes first.
    const bool is_a_later = at_b < at_a;
    T earlier = a, later = b;
    if (is_a_later) {
      earlier = b;
      later = a;
    }
    const bool later_is_less = less(later, earlier);  // which may be any number, if it returns no bool
    return later_is_less != is_a_later;
  }
}

template <class Less>
struct choose_extremum {
  template <class T, class Position>
  GPUPRIM_HOST_DEVICE constexpr extremum<T, Position> operator()(const extremum<T, Position>& a,
                                                                 const extremum<T, Position>& b) const {
    return is_second_first(Less{}, a.value, a.position, b.value, b.position) ? b : a;
  }
};

}  // namespace detail

/// The smaller of two elements with their positions; of equal ones that at the lower position. With `block_reduce` and
/// the others it finds the minimum and its position, as `min_element` does. No two elements may have the same position.
/// With a NaN among the values the result is unspecified. In a kernel `extremum<float, int>` is reduced faster, because
/// it has half the size.
struct argmin : detail::choose_extremum<detail::less_than> {};

/// The larger.
struct argmax : detail::choose_extremum<detail::greater_than> {};

template <class T, class Position>
inline constexpr bool is_commutative<argmin, extremum<T, Position>> = true;
template <class T, class Position>
inline constexpr bool is_commutative<argmax, extremum<T, Position>> = true;

template <class Op, class T, class Position>
  requires((std::is_same_v<Op, argmin> || std::is_same_v<Op, argmax>) && is_number<T>)
struct identity_element<Op, extremum<T, Position>> {
  using order = std::conditional_t<std::is_same_v<Op, argmin>, detail::less_than, detail::greater_than>;
  GPUPRIM_HOST_DEVICE static constexpr extremum<T, Position> value() {
    return {detail::last_value<order, T>(), detail::no_position<Position>};
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
