// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The operators of reductions and scans. As in NumPy, a NaN among the values is their minimum and their maximum.
#include <gpuprim/core/operators.hpp>

#include <limits>

#include "core.hpp"

namespace gpuprim_python {

/// A 16-bit float as a float, which can be compared; all else as it is.
template <class T>
GPUPRIM_HOST_DEVICE auto as_float(T x) {
  if constexpr (is_float<T> && sizeof(T) == 2) return float(x);
  else return x;
}

template <class T>
T highest_of() {
  if constexpr (is_float<T>) return T(std::numeric_limits<float>::infinity());
  else return (std::numeric_limits<T>::max)();
}
template <class T>
T lowest_of() {
  if constexpr (is_float<T>) return T(-std::numeric_limits<float>::infinity());
  else return (std::numeric_limits<T>::min)();
}

struct least {
  template <class T>
  GPUPRIM_HOST_DEVICE T operator()(const T& a, const T& b) const {
    const auto x = as_float(a), y = as_float(b);
    return x != x || !(y < x || y != y) ? a : b;
  }
};

struct greatest {
  template <class T>
  GPUPRIM_HOST_DEVICE T operator()(const T& a, const T& b) const {
    const auto x = as_float(a), y = as_float(b);
    return x != x || !(y > x || y != y) ? a : b;
  }
};

/// The operators for a type: integers have no NaN, and take the library's own.
template <class T>
using least_of = std::conditional_t<is_float<T>, least, gpuprim::minimum<>>;
template <class T>
using greatest_of = std::conditional_t<is_float<T>, greatest, gpuprim::maximum<>>;

/// Calls go with the operator of a reduction of elements of type T, and the value that it starts from.
template <class T, class Go>
void with_reduction(reduction op, int type, const Go& go) {
  using sum = std::conditional_t<is_float<T> && sizeof(T) == 2, float, wide<T>>;
  if (op == reduction::sum) go(gpuprim::plus<>{}, sum(0));
  else if (op == reduction::least) go(least_of<T>{}, dtype(type) == dtype::boolean ? T(1.0f) : highest_of<T>());
  else go(greatest_of<T>{}, lowest_of<T>());
}

}  // namespace gpuprim_python

// Which of two NaNs is the result does not matter.
template <class T>
inline constexpr bool gpuprim::is_commutative<gpuprim_python::least, T> = true;
template <class T>
inline constexpr bool gpuprim::is_commutative<gpuprim_python::greatest, T> = true;
