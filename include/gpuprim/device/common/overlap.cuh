// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a call can see of how its arrays lie in memory. Iterators that are no pointers are taken to be good.
#include <gpuprim/core/expects.cuh>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {

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

}  // namespace gpuprim::detail
