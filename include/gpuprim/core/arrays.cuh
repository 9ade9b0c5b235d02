// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The arrays behind the iterators that a caller passes, and how they lie in memory. Iterators that are no pointers are
// taken to be good.
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/iterators.hpp>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

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

/// An input from its element `by` on.
template <class It>
struct later_iterator : input_iterator_types<input_value<It>> {
  It it;
  std::int64_t by;

  GPUPRIM_HOST_DEVICE constexpr later_iterator(const It& i, std::int64_t first) : it(i), by(first) {}
  __device__ decltype(auto) operator[](std::int64_t i) const { return it[i + by]; }
};
template <class It>
using rest_of_items = std::conditional_t<std::is_pointer_v<It>, It, later_iterator<It>>;
template <class It>
GPUPRIM_HOST_DEVICE constexpr rest_of_items<It> skip_items(const It& it, std::int64_t first) {
  if constexpr (std::is_pointer_v<It>) return it + first;
  else return {it, first};
}

/// Stands for an array where there is none.
struct nothing {};

/// Where a segment lies.
struct segment_span {
  std::int64_t begin, length;
};

inline std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// True of a pointer behind which no memory of the device stands, as far as can be seen.
template <class P>
bool is_absent(const P& p) {
  if constexpr (std::is_pointer_v<P>) return p == nullptr || detail::is_host_memory(p);
  else return false;
}

/// Whether an address is one that elements of its type may have.
template <class P>
bool is_aligned(const P& p) {
  if constexpr (std::is_pointer_v<P>) return reinterpret_cast<std::uintptr_t>(p) % alignof(decltype(*p)) == 0;
  else if constexpr (requires { p.is_aligned(); }) return p.is_aligned();
  else return true;
}

/// The array behind an input that reads one in a way of its own; anything else as it is.
template <class P>
auto array_of(const P& p) {
  if constexpr (requires { p.array(); }) return p.array();
  else return p;
}

/// True if both are arrays and their bytes overlap.
template <class A, class B>
bool overlap(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count) {
  const auto first = detail::array_of(a);
  const auto second = detail::array_of(b);
  if constexpr (std::is_pointer_v<decltype(first)> && std::is_pointer_v<decltype(second)>) {
    return detail::address_of(first) < detail::address_of(second + b_count) &&
           detail::address_of(second) < detail::address_of(first + a_count);
  } else {
    return false;
  }
}

/// True if both are arrays of elements of one size at one address.
template <class Out, class In>
bool is_same_array(const Out& out, const In& in) {
  const auto array = detail::array_of(in);
  if constexpr (std::is_pointer_v<Out> && std::is_pointer_v<decltype(array)>) {
    return sizeof(*out) == sizeof(*array) && detail::address_of(out) == detail::address_of(array);
  } else {
    return false;
  }
}

/// Whether n results may be written where they are: nowhere near the elements of an input, or each in its element's
/// place.
template <class Out, class In>
bool may_replace(const Out& out, const In& in, std::int64_t n) {
  return detail::is_same_array(out, in) || !detail::overlap(out, n, in, n);
}

/// True if both are arrays and the first begins with one of the n elements of the second.
template <class Out, class In>
bool begins_within(const Out& out, const In& in, std::int64_t n) {
  const auto array = detail::array_of(in);
  if constexpr (std::is_pointer_v<Out> && std::is_pointer_v<decltype(array)>) {
    return detail::address_of(out) >= detail::address_of(array) &&
           detail::address_of(out) < detail::address_of(array + n);
  } else {
    return false;
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
