// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/orders.hpp>

#include <cuda_runtime.h>

namespace gpuprim::inline v0_1_0::detail {

/// The equality of keys where the caller names none. It is for the device alone, where nvcc refuses an operator== of
/// the host; in a function for both it would only warn, and drop the comparison.
struct equal_keys {
  template <class Key>
    requires requires(const Key& a) { a == a; }
  __device__ bool operator()(const Key& a, const Key& b) const { return a == b; }
};

template <class Equal, class Key>
inline constexpr bool is_equality_on = is_device_lambda<Equal> ||
                                       std::is_invocable_r_v<bool, const Equal&, const Key&, const Key&>;

}  // namespace gpuprim::detail
