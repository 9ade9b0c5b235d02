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

/// Calls `go` with iterators as pointers where they are arrays. If one that might be an array is none, all such stay as
/// they are, so that there are two kinds of kernels at most.
template <class Go, class... Its>
auto with_arrays(const Go& go, const Its&... its) {
  if constexpr ((may_be_contiguous<std::remove_const_t<raw_iterator<Its>>> || ...)) {
    if (!(detail::is_contiguous(detail::unwrap_contiguous(its)) && ...)) return go(detail::unwrap_contiguous(its)...);
  }
  return go(detail::unwrap_pointer(detail::unwrap_contiguous(its))...);
}

}  // namespace gpuprim::detail
