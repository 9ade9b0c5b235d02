// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number type behind __half and __nv_bfloat16: CUDA's implicit conversions and operators, each unless a macro
// takes them away. What functions compute of a number needs neither.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include <simt/small_float_format.hpp>

namespace simt {

template <class Number, int ExponentBits, int MantissaBits, bool HasConversions, bool HasOperators>
class small_float {
 public:
  using format = small_float_format<ExponentBits, MantissaBits>;

  small_float() = default;
  small_float(float value)
    requires HasConversions
      : bits_(format::encode(value)) {}
  small_float(double value)
    requires HasConversions
      : bits_(format::encode(value)) {}
  template <std::integral Integer>
    requires HasConversions
  small_float(Integer value) : small_float(nearest(value)) {}

  static constexpr Number from_bits(std::uint16_t bits) {
    Number n{};
    n.bits_ = bits;
    return n;
  }
  static Number nearest(double value) { return from_bits(format::encode(value)); }
  template <std::integral Integer>
  static Number nearest(Integer value) {
    return nearest(to_odd(std::conditional_t<std::is_signed_v<Integer>, long long, unsigned long long>(value)));
  }
  float value() const { return format::decode(bits_); }
  // Towards zero and saturating, with NaN as 0, as on a GPU.
  template <std::integral Integer>
  Integer to_integer() const {
    constexpr auto least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
    const float number = value();
    if (number != number) return 0;
    if (double(number) <= double(least)) return least;
    if (double(number) >= double(most)) return most;
    return Integer(number);
  }
  constexpr std::uint16_t bits() const { return bits_; }
  bool is_nan() const { return format::is_nan(bits_); }
  bool is_infinite() const { return (bits_ & 0x7fff) == format::infinity; }

  // There is no conversion to double: float is promoted.
  operator float() const
    requires HasConversions
  {
    return value();
  }
  operator bool() const
    requires HasConversions
  {
    return (bits_ & 0x7fff) != 0;
  }
  template <std::integral Integer>
    requires(HasConversions && !std::same_as<Integer, bool>)
  operator Integer() const {
    return to_integer<Integer>();
  }

  Number& operator+=(const Number& b)
    requires HasOperators
  {
    return self() = self() + b;
  }
  Number& operator-=(const Number& b)
    requires HasOperators
  {
    return self() = self() - b;
  }
  Number& operator*=(const Number& b)
    requires HasOperators
  {
    return self() = self() * b;
  }
  Number& operator/=(const Number& b)
    requires HasOperators
  {
    return self() = self() / b;
  }
  Number& operator++()
    requires HasOperators
  {
    return self() = nearest(value() + 1);
  }
  Number& operator--()
    requires HasOperators
  {
    return self() = nearest(value() - 1);
  }
  Number operator++(int)
    requires HasOperators
  {
    Number old = self();
    ++*this;
    return old;
  }
  Number operator--(int)
    requires HasOperators
  {
    Number old = self();
    --*this;
    return old;
  }

  // A float holds more than twice the digits, so rounding its result again is exact for these four.
  friend Number operator+(const Number& a, const Number& b)
    requires HasOperators
  {
    return nearest(a.value() + b.value());
  }
  friend Number operator-(const Number& a, const Number& b)
    requires HasOperators
  {
    return nearest(a.value() - b.value());
  }
  friend Number operator*(const Number& a, const Number& b)
    requires HasOperators
  {
    return nearest(a.value() * b.value());
  }
  friend Number operator/(const Number& a, const Number& b)
    requires HasOperators
  {
    return nearest(a.value() / b.value());
  }
  friend Number operator+(const Number& a)
    requires HasOperators
  {
    return a;
  }
  friend Number operator-(const Number& a)
    requires HasOperators
  {
    return from_bits(a.bits_ ^ 0x8000);
  }
  friend bool operator==(const Number& a, const Number& b)
    requires HasOperators
  {
    return a.value() == b.value();
  }
  friend bool operator!=(const Number& a, const Number& b)
    requires HasOperators
  {
    return a.value() != b.value();
  }
  friend bool operator<(const Number& a, const Number& b)
    requires HasOperators
  {
    return a.value() < b.value();
  }
  friend bool operator>(const Number& a, const Number& b)
    requires HasOperators
  {
    return a.value() > b.value();
  }
  friend bool operator<=(const Number& a, const Number& b)
    requires HasOperators
  {
    return a.value() <= b.value();
  }
  friend bool operator>=(const Number& a, const Number& b)
    requires HasOperators
  {
    return a.value() >= b.value();
  }

 private:
  Number& self() { return static_cast<Number&>(*this); }

  std::uint16_t bits_;
};

template <class Number>
Number fused_multiply_add(Number a, Number b, Number c) {
  // The product is exact in double.
  return Number::nearest(add_to_odd(double(a.value()) * double(b.value()), double(c.value())));
}

// A NaN loses against a number; minus zero is less than plus zero.
template <class Number>
Number maximum(Number a, Number b) {
  if (a.is_nan()) return b.is_nan() ? Number::from_bits(Number::format::quiet_nan) : b;
  if (b.is_nan()) return a;
  if (a.value() == b.value()) return a.bits() & 0x8000 ? b : a;
  return a.value() > b.value() ? a : b;
}

template <class Number>
Number minimum(Number a, Number b) {
  if (a.is_nan()) return b.is_nan() ? Number::from_bits(Number::format::quiet_nan) : b;
  if (b.is_nan()) return a;
  if (a.value() == b.value()) return a.bits() & 0x8000 ? a : b;
  return a.value() < b.value() ? a : b;
}

}  // namespace simt
