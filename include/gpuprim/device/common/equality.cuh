// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/orders.hpp>

namespace gpuprim::inline v0_1_0::detail {

template <class Equal, class Key>
inline constexpr bool is_equality_on = is_device_lambda<Equal> ||
                                       std::is_invocable_r_v<bool, const Equal&, const Key&, const Key&>;

}  // namespace gpuprim::detail
