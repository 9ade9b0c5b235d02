// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/with_input.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go` with the input as a pointer or shifted_array where it is an array.
template <class In, class Go>
auto with_raw_input(const In& in, const Go& go) {
  return detail::with_input<array_form::pointer>(in, go);
}

}  // namespace gpuprim::detail
