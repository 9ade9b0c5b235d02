// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __nv_fp8_e4m3 and __nv_fp8_e5m2, in software: no toolkit is needed. They store a number; to calculate, convert.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <concepts>

using __nv_fp8_storage_t = unsigned char;

namespace simt {

/// The numbers of two 8-bit formats. Largest is the code of the largest finite number, which larger ones become.
template <bool IsE4m3, unsigned Largest>
struct eight_bit_format {
  /// e5m2 is the upper byte of a half; e4m3 has one exponent bit less, with a bias that is 8 less.
  static float decode(unsigned char bits) {
    using half_format = small_float_format<5, 10>;
    if constexpr (!IsE4m3) {
      return half_format::decode(std::uint16_t(bits << 8));
    } else {
      if ((bits & 0x7f) == 0x7f) return std::bit_cast<float>(0x7fffffffu);
      return half_format::decode(std::uint16_t((bits & 0x80) << 8 | (bits & 0x7f) << 7)) * 256;
    }
  }
  /// To the nearest, ties to even.
  static unsigned char encode(double value) {
    if (value != value) return 0x7f;
    const double magnitude = std::fabs(value);
    unsigned code = 0;
    for (; code < Largest; ++code) {
      const double middle =
          (double(decode(static_cast<unsigned char>(code))) + double(decode(static_cast<unsigned char>(code + 1)))) / 2;
      if (magnitude < middle || (magnitude == middle && code % 2 == 0)) break;
    }
    return static_cast<unsigned char>(code | (std::signbit(value) ? 0x80u : 0u));
  }
};

using e4m3_format = eight_bit_format<true, 0x7e>;
using e5m2_format = eight_bit_format<false, 0x7b>;

}  // namespace simt

#define SIMT_EIGHT_BIT_FLOAT(T, format)                                                             \
  struct T {                                                                                        \
    __nv_fp8_storage_t __x;                                                                         \
    T() = default;                                                                                  \
    explicit T(const float a) : __x(format::encode(double(a))) {}                                   \
    explicit T(const double a) : __x(format::encode(a)) {}                                          \
    explicit T(const __half a) : T(a.value()) {}                                                    \
    explicit T(const __nv_bfloat16 a) : T(a.value()) {}                                             \
    explicit T(const std::integral auto a) : T(float(a)) {}                                         \
    explicit operator float() const { return format::decode(__x); }                                 \
    explicit operator double() const { return double(format::decode(__x)); }                        \
    explicit operator __half() const { return __half::nearest(format::decode(__x)); }               \
    explicit operator __nv_bfloat16() const { return __nv_bfloat16::nearest(format::decode(__x)); } \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                                    \
  };
SIMT_EIGHT_BIT_FLOAT(__nv_fp8_e4m3, simt::e4m3_format)
SIMT_EIGHT_BIT_FLOAT(__nv_fp8_e5m2, simt::e5m2_format)
#undef SIMT_EIGHT_BIT_FLOAT
