// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number type behind __half and __nv_bfloat16: CUDA's implicit conversions and operators.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include <simt/small_float_format.hpp>

namespace simt {

template <class Number, int ExponentBits, int MantissaBits>
class small_float {
 public:
  using format = small_float_format<ExponentBits, MantissaBits>;

  small_float() = default;
  small_float(float value) : bits_(format::encode(value)) {}
  small_float(double value) : bits_(format::encode(value)) {}
  template <std::integral Integer>
  small_float(Integer value)
      : bits_(format::encode(
            to_odd(std::conditional_t<std::is_signed_v<Integer>, long long, unsigned long long>(value)))) {}

  static constexpr Number from_bits(std::uint16_t bits) {
    Number n{};
    n.bits_ = bits;
    return n;
  }
  constexpr std::uint16_t bits() const { return bits_; }
  bool is_nan() const { return format::is_nan(bits_); }
  bool is_infinite() const { return (bits_ & 0x7fff) == format::infinity; }

  operator float() const { return format::decode(bits_); }
  operator bool() const { return (bits_ & 0x7fff) != 0; }
  // Towards zero and saturating, with NaN as 0, as on a GPU. There is no conversion to double: float is
  // promoted.
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  operator Integer() const {
    float value = format::decode(bits_);
    constexpr auto least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
    if (value != value) return 0;
    if (double(value) <= double(least)) return least;
    if (double(value) >= double(most)) return most;
    return Integer(value);
  }

  Number& operator+=(const Number& b) { return self() = self() + b; }
  Number& operator-=(const Number& b) { return self() = self() - b; }
  Number& operator*=(const Number& b) { return self() = self() * b; }
  Number& operator/=(const Number& b) { return self() = self() / b; }
  Number& operator++() { return self() += Number(1.0f); }
  Number& operator--() { return self() -= Number(1.0f); }
  Number operator++(int) {
    Number old = self();
    ++*this;
    return old;
  }
  Number operator--(int) {
    Number old = self();
    --*this;
    return old;
  }

  // A float holds more than twice the digits, so rounding its result again is exact for these four.
  friend Number operator+(const Number& a, const Number& b) { return Number(a.value() + b.value()); }
  friend Number operator-(const Number& a, const Number& b) { return Number(a.value() - b.value()); }
  friend Number operator*(const Number& a, const Number& b) { return Number(a.value() * b.value()); }
  friend Number operator/(const Number& a, const Number& b) { return Number(a.value() / b.value()); }
  friend Number operator+(const Number& a) { return a; }
  friend Number operator-(const Number& a) { return from_bits(a.bits_ ^ 0x8000); }
  friend bool operator==(const Number& a, const Number& b) { return a.value() == b.value(); }
  friend bool operator!=(const Number& a, const Number& b) { return a.value() != b.value(); }
  friend bool operator<(const Number& a, const Number& b) { return a.value() < b.value(); }
  friend bool operator>(const Number& a, const Number& b) { return a.value() > b.value(); }
  friend bool operator<=(const Number& a, const Number& b) { return a.value() <= b.value(); }
  friend bool operator>=(const Number& a, const Number& b) { return a.value() >= b.value(); }

 private:
  Number& self() { return static_cast<Number&>(*this); }
  float value() const { return format::decode(bits_); }

  std::uint16_t bits_;
};

template <class Number>
Number fused_multiply_add(Number a, Number b, Number c) {
  // The product is exact in double.
  return Number(add_to_odd(double(float(a)) * double(float(b)), double(float(c))));
}

// A NaN loses against a number; minus zero is less than plus zero.
template <class Number>
Number maximum(Number a, Number b) {
  if (a.is_nan()) return b.is_nan() ? Number::from_bits(Number::format::quiet_nan) : b;
  if (b.is_nan()) return a;
  if (float(a) == float(b)) return a.bits() & 0x8000 ? b : a;
  return float(a) > float(b) ? a : b;
}

template <class Number>
Number minimum(Number a, Number b) {
  if (a.is_nan()) return b.is_nan() ? Number::from_bits(Number::format::quiet_nan) : b;
  if (b.is_nan()) return a;
  if (float(a) == float(b)) return a.bits() & 0x8000 ? a : b;
  return float(a) < float(b) ? a : b;
}

}  // namespace simt
