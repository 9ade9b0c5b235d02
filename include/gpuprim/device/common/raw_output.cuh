// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a kernel writes in place of the iterator that a caller passed.
#include <gpuprim/core/iterators.hpp>

namespace gpuprim::inline v0_1_0::detail {

/// True for what may be the iterator of a `thrust::device_vector`, or a reversed one, which differs only in the
/// addresses of two neighbours.
template <class It>
inline constexpr bool may_be_contiguous = !fancy_pointer<It> && wrapped_fancy_pointer<It>;

template <class It>
bool is_contiguous(const It& it) {
  if constexpr (may_be_contiguous<It>) {
    return (&*it).get() == it.base().get() && (&*(it + 1)).get() == it.base().get() + 1;
  } else {
    return true;
  }
}
template <class It>
constexpr auto unwrap_pointer(const It& it) {
  if constexpr (may_be_contiguous<It>) return it.base().get();
  else return it;
}

/// Calls `go` with the output as a pointer where it is an array.
template <class Out, class Go>
auto with_raw_output(const Out& out, const Go& go) {
  if constexpr (may_be_contiguous<Out>) {
    if (detail::is_contiguous(out)) return go(detail::unwrap_pointer(out));
    return go(out);
  } else {
    return go(detail::unwrap_contiguous(out));
  }
}

}  // namespace gpuprim::detail
