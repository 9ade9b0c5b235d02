// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a call can see of how its arrays lie in memory. Iterators that are no pointers are taken to be good.
#include <gpuprim/core/expects.cuh>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_1_0::detail {

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

/// True if both are pointers and the bytes behind them overlap.
template <class A, class B>
bool overlap(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count) {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    return detail::address_of(a) < detail::address_of(b + b_count) &&
           detail::address_of(b) < detail::address_of(a + a_count);
  } else {
    return false;
  }
}

/// True if both are pointers and the first points at one of the n elements behind the second.
template <class Out, class In>
bool begins_within(const Out& out, const In& in, std::int64_t n) {
  if constexpr (std::is_pointer_v<Out> && std::is_pointer_v<In>) {
    return detail::address_of(out) >= detail::address_of(in) && detail::address_of(out) < detail::address_of(in + n);
  } else {
    return false;
  }
}

}  // namespace gpuprim::detail
