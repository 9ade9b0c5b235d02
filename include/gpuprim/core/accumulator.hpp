// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

namespace gpuprim {

namespace detail {

template <class Op, class T>
constexpr auto choose_accumulator() {
  if constexpr (is_from<Op, plus> && is_half_precision<T>) return std::type_identity<float>{};
  else if constexpr (is_from<Op, plus> && std::is_integral_v<T> && sizeof(T) <= 2 && !std::is_same_v<T, bool>) {
    return std::type_identity<std::conditional_t<std::is_signed_v<T>, int, unsigned>>{};
  } else {
    return std::type_identity<T>{};
  }
}

}  // namespace detail

/// The type that a reduce works in where the caller names none: the element type, but for sums of half, bfloat16 (float)
/// and of 8- and 16-bit integers (int or unsigned).
template <class Op, class T>
using default_accumulator = typename decltype(detail::choose_accumulator<Op, T>())::type;

}  // namespace gpuprim
