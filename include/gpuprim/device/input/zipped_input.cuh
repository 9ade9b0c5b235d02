// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/projected_input.cuh>
#include <gpuprim/device/input/with_input.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go` with two inputs as one: packed loads of both where they are arrays of elements of one size.
template <class First, class Second, class Go>
auto with_zipped_input(const First& first, const Second& second, const Go& go) {
  return detail::with_input<array_form::pointer>(first, [&]<class A>(const A& a) {
    return detail::with_input<array_form::pointer>(second, [&]<class B>(const B& b) {
      if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B> && sizeof(input_value<A>) == sizeof(input_value<B>)) {
        using X = input_value<A>;
        using Y = input_value<B>;
        if constexpr (load_bytes % sizeof(X) == 0 && sizeof(X) < load_bytes) {
          if (!zipped_input<X, Y>::fits(a, b)) return go(zipped_shifted_input<X, Y>(a, b));
        }
        return go(zipped_input<X, Y>(a, b));
      } else {
        return go(zipped_items(a, b));
      }
    });
  });
}

}  // namespace gpuprim::detail
