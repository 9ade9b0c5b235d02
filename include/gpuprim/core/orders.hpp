// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

namespace gpuprim::detail {

/// Strict weak orders.
struct less_than {
  template <class T>
    requires requires(const T& a) { a < a; }
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return a < b; }
};
struct greater_than {
  template <class T>
    requires requires(const T& a) { a < a; }
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return b < a; }
};
template <class Less>
struct reversed {
  Less less;
  template <class T>
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return less(b, a); }
};

}  // namespace gpuprim::detail
