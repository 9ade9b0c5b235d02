// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binary floating-point formats of 16 bits: encoding with every rounding mode, and decoding. In software, so
// that results do not depend on the host's instructions.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace simt {

enum class rounding { to_nearest_even, to_zero, down, up };

template <int ExponentBits, int MantissaBits>
struct small_float_format {
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr std::uint16_t infinity = ((1 << ExponentBits) - 1) << MantissaBits;
  static constexpr std::uint16_t largest = infinity - 1;
  static constexpr std::uint16_t quiet_nan = 0x7fff;  // the one NaN that CUDA's conversions make

  static constexpr std::uint16_t encode(double value, rounding mode = rounding::to_nearest_even) {
    constexpr int double_mantissa = 52, double_bias = 1023;
    auto bits = std::bit_cast<std::uint64_t>(value);
    std::uint16_t sign = bits >> 63 ? 0x8000 : 0;
    std::uint64_t fraction = bits & ((std::uint64_t(1) << double_mantissa) - 1);
    int exponent = int(bits >> double_mantissa & 0x7ff) - double_bias;
    if (exponent == double_bias + 1) return fraction ? quiet_nan : sign | infinity;
    if (exponent == -double_bias && fraction == 0) return sign;
    bool away = mode == rounding::up ? !sign : mode == rounding::down && sign;
    if (exponent > bias) {
      return sign | (mode == rounding::to_nearest_even || away ? infinity : largest);
    }
    // A double's own subnormals are far below every small format's: any non-zero fraction will do for them.
    std::uint64_t significand = fraction | std::uint64_t(1) << double_mantissa;
    bool normal = exponent >= 1 - bias;
    int dropped = double_mantissa - MantissaBits + (normal ? 0 : 1 - bias - exponent);
    if (dropped > 62) {
      dropped = 62;
      significand = 1;
    }
    std::uint64_t kept = significand >> dropped;
    std::uint64_t rest = significand & ((std::uint64_t(1) << dropped) - 1);
    std::uint64_t half = std::uint64_t(1) << (dropped - 1);
    bool round_up = mode == rounding::to_nearest_even ? rest > half || (rest == half && (kept & 1)) : away && rest;
    // The leading one of a normal number adds 1 to the exponent field, and so does a carry out of the
    // fraction.
    std::uint16_t field = normal ? std::uint16_t(exponent + bias - 1) : 0;
    return sign | std::uint16_t((std::uint32_t(field) << MantissaBits) + kept + round_up);
  }

  static constexpr float decode(std::uint16_t bits) {
    std::uint32_t sign = std::uint32_t(bits & 0x8000) << 16;
    std::uint32_t magnitude = bits & 0x7fff;
    if constexpr (ExponentBits == 8) {
      return std::bit_cast<float>(sign | magnitude << 16);  // the upper half of a float
    } else {
      std::uint32_t fraction = magnitude & ((1u << MantissaBits) - 1);
      if (magnitude >= infinity) return std::bit_cast<float>(sign | 0x7f800000u | fraction << (23 - MantissaBits));
      if (magnitude < (1u << MantissaBits)) {
        float smallest = std::bit_cast<float>(std::uint32_t(127 - bias + 1 - MantissaBits) << 23);
        float value = float(fraction) * smallest;
        return sign ? -value : value;
      }
      return std::bit_cast<float>(sign | ((magnitude << (23 - MantissaBits)) + (std::uint32_t(127 - bias) << 23)));
    }
  }

  static constexpr bool is_nan(std::uint16_t bits) { return (bits & 0x7fff) > infinity; }
};

// a + b with an odd last bit where it is inexact: rounding that once more to a short format gives what
// rounding the exact sum would have given.
inline double add_to_odd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  double of_b = sum - a;
  double error = (a - (sum - of_b)) + (b - of_b);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1)) return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

// The double nearest to an integer that has more bits than one, with the same property.
inline double to_odd(unsigned long long value) {
  int extra = 64 - std::countl_zero(value) - 53;
  if (extra <= 0) return double(value);
  unsigned long long kept = value >> extra;
  if (kept << extra != value) kept |= 1;
  return std::ldexp(double(kept), extra);
}
inline double to_odd(long long value) {
  return value < 0 ? -to_odd(0ull - static_cast<unsigned long long>(value))
                   : to_odd(static_cast<unsigned long long>(value));
}

}  // namespace simt
