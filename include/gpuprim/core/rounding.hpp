// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// a / b rounded up, of numbers that are not negative.
template <class T>
GPUPRIM_HOST_DEVICE constexpr T ceil_div(T a, std::type_identity_t<T> b) {
  return (a + b - 1) / b;
}

/// The first multiple of `unit` that is not below a: by default of what memory is aligned to that launches share.
template <class T>
GPUPRIM_HOST_DEVICE constexpr T align_up(T a, std::type_identity_t<T> unit = 256) {
  return (a + unit - 1) / unit * unit;
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
