// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>

namespace gpuprim::detail {

template <class It>
concept offset_input = random_access_input<It> && std::is_integral_v<input_value<It>> &&
                       (sizeof(input_value<It>) == 4 || sizeof(input_value<It>) == 8);

inline std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// True if both are pointers and the bytes behind them meet.
template <class A, class B>
bool overlap(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count) {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    const auto before = [](const void* p, const void* q) { return detail::address_of(p) < detail::address_of(q); };
    return before(a, b + b_count) && before(b, a + a_count);
  } else {
    return false;
  }
}

template <class P>
bool is_null(const P& p) {
  if constexpr (std::is_pointer_v<P>) return p == nullptr;
  else return false;
}

template <class In, class Out>
outcome check_segmented_arguments(const In& in, std::int64_t segments, const Out& out) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments > (std::numeric_limits<std::int64_t>::max)() / 32) {
    return {cudaErrorInvalidValue, "there are too many segments"};
  }
  if (segments > 0 && detail::is_null(out)) return {cudaErrorInvalidValue, "the output is a null pointer"};
  return detail::check_input(in, 0);
}

}  // namespace gpuprim::detail
