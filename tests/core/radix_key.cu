// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/core/radix_key.hpp>

#include "../support/types.cuh"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

namespace {

/// `ascending`: values in their order, no two of which are equal.
template <class T>
void check_order(std::initializer_list<T> ascending) {
  using key = gpuprim::detail::radix_key<T>;
  const T* before = nullptr;
  for (const T& value : ascending) {
    const auto w = key::to_word(value);
    const T back = key::to_key(w);
    CHECK(std::memcmp(&back, &value, sizeof(T)) == 0);
    if (before) CHECK(key::order(key::to_word(*before)) < key::order(w));
    before = &value;
  }
}

template <class T>
void check_integers() {
  using limits = std::numeric_limits<T>;
  if constexpr (limits::is_signed) check_order<T>({limits::min(), T(-2), T(-1), T(0), T(1), T(100), limits::max()});
  else check_order<T>({T(0), T(1), T(100), T(limits::max() / 2), T(limits::max() / 2 + 1), limits::max()});
}

/// The same number with the other sign. A minus makes some halves that are no numbers positive.
template <class T>
T negate(T value) {
  gpuprim::detail::unsigned_of<int(sizeof(T))> word;
  std::memcpy(&word, &value, sizeof word);
  word = decltype(word)(word ^ gpuprim::detail::radix_key<T>::sign);
  std::memcpy(static_cast<void*>(&value), &word, sizeof word);
  return value;
}

template <class T>
void check_floating(T smallest, T infinity, T nan) {
  const T zero = T(0.0f), one = T(1.0f);
  check_order<T>({negate(nan), T(-infinity), T(-one), T(-smallest), zero, smallest, one, infinity, nan});
  using key = gpuprim::detail::radix_key<T>;
  const T negative_zero = T(-0.0f);
  CHECK(key::to_word(negative_zero) != key::to_word(zero));
  CHECK(key::order(key::to_word(negative_zero)) == key::order(key::to_word(zero)));
  CHECK(std::signbit(float(key::to_key(key::to_word(negative_zero)))));
}

}  // namespace

TEST_CASE("Words of keys have the order of the keys", "[core]") {
  check_integers<signed char>();
  check_integers<unsigned char>();
  check_integers<short>();
  check_integers<unsigned short>();
  check_integers<int>();
  check_integers<unsigned>();
  check_integers<long long>();
  check_integers<unsigned long long>();
  check_order<bool>({false, true});
  check_floating<float>(1e-45f, INFINITY, NAN);
  check_floating<double>(5e-324, double(INFINITY), double(NAN));
  check_floating<__half>(__half(6e-8f), __half(INFINITY), __half(NAN));
  check_floating<__nv_bfloat16>(__nv_bfloat16(1e-38f), __nv_bfloat16(INFINITY), __nv_bfloat16(NAN));
}
