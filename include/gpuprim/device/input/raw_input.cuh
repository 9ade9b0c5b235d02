// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/array_input.cuh>

namespace gpuprim::detail {

/// Calls `go` with the iterator unwrapped. The iterators of `thrust::device_vector` can be told from reversed ones only
/// by looking at two neighbouring addresses.
template <class In, class Go>
auto with_raw_input(const In& in, const Go& go) {
  if constexpr (!std::is_pointer_v<In> && !fancy_pointer<In> && wrapped_fancy_pointer<In>) {
    using T = input_value<In>;
    if ((&*in).get() == in.base().get() && (&*(in + 1)).get() == in.base().get() + 1) {
      return with_aligned_input<T>(in.base().get(), go);
    }
    return go(in);
  } else {
    const auto raw = detail::unwrap_contiguous(in);
    if constexpr (std::is_pointer_v<decltype(detail::unwrap_contiguous(in))>) {
      return with_aligned_input<input_value<In>>(raw, go);
    } else {
      return go(raw);
    }
  }
}

/// The same, with elements that take several wide loads as such.
template <class In, class Go>
auto with_wide_input(const In& in, const Go& go) {
  return detail::with_raw_input(in, [&](auto raw) { return detail::with_wide_elements(raw, go); });
}

}  // namespace gpuprim::detail
