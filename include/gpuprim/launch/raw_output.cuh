// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a kernel writes in place of the iterator that a caller passed.
#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/iterators.hpp>

namespace gpuprim::inline v0_2_0::detail {

template <class It>
bool is_contiguous(const It& it) {
  if constexpr (may_be_contiguous<It>) {
    const auto* const array = it.it.base().get();
    return it.address(0) == array && it.address(1) == array + 1;
  } else {
    return true;
  }
}
template <class It>
constexpr auto unwrap_pointer(const It& it) {
  if constexpr (may_be_contiguous<It>) return it.it.base().get();
  else return it;
}

/// Calls `go` with the output as a pointer where it is an array.
template <class Out, class Go>
auto with_raw_output(const Out& out, const Go& go) {
  const auto raw = detail::unwrap_contiguous(out);
  if constexpr (may_be_contiguous<std::remove_const_t<decltype(raw)>>) {
    if (detail::is_contiguous(raw)) return go(detail::unwrap_pointer(raw));
  }
  return go(raw);
}

}  // namespace gpuprim::detail
