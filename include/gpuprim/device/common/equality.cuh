// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>

namespace gpuprim::detail {

/// The equality of keys where the caller names none.
struct same_key {
  template <class Key>
    requires requires(const Key& a) { a == a; }
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const Key& a, const Key& b) const { return a == b; }
};

template <class Equal, class Key>
inline constexpr bool is_equality_on = is_device_lambda<Equal> ||
                                       std::is_invocable_r_v<bool, const Equal&, const Key&, const Key&>;

}  // namespace gpuprim::detail
