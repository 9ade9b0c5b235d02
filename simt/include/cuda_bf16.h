// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __nv_bfloat16 and __nv_bfloat162, in software: no toolkit is needed. The macros that take conversions and operators
// away do so here.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <simt/small_float_functions.hpp>

struct __nv_bfloat16_raw {
  unsigned short x;
};

#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define SIMT_BFLOAT16_CONVERTS false
#else
#define SIMT_BFLOAT16_CONVERTS true
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define SIMT_BFLOAT16_OPERATES false
#else
#define SIMT_BFLOAT16_OPERATES true
#endif

struct __nv_bfloat16 : simt::small_float<__nv_bfloat16, 8, 7, SIMT_BFLOAT16_CONVERTS, SIMT_BFLOAT16_OPERATES> {
  using small_float::small_float;
  __nv_bfloat16() = default;
  __nv_bfloat16(const __nv_bfloat16_raw& raw) : small_float(from_bits(raw.x)) {}
#if SIMT_BFLOAT16_CONVERTS
  explicit __nv_bfloat16(const __half& other) : small_float(__half2float(other)) {}
#endif
  operator __nv_bfloat16_raw() const { return {bits()}; }
};
using nv_bfloat16 = __nv_bfloat16;

#if SIMT_HALF_CONVERTS
inline __half::__half(const __nv_bfloat16& other) : small_float(other.value()) {}
#endif

SIMT_SMALL_FLOAT_SCALAR(__nv_bfloat16)
SIMT_SMALL_FLOAT_PAIR(__nv_bfloat16, __nv_bfloat162)
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
SIMT_SMALL_FLOAT_PAIR_OPERATORS(__nv_bfloat162)
#endif
using nv_bfloat162 = __nv_bfloat162;

// ---- conversions of one number ----
inline __nv_bfloat16 __float2bfloat16(const float a) { return __nv_bfloat16::nearest(a); }
inline __nv_bfloat16 __float2bfloat16_rn(const float a) { return __nv_bfloat16::nearest(a); }
inline __nv_bfloat16 __float2bfloat16_rz(const float a) {
  return __nv_bfloat16::from_bits(__nv_bfloat16::format::encode(a, simt::rounding::to_zero));
}
inline __nv_bfloat16 __float2bfloat16_rd(const float a) {
  return __nv_bfloat16::from_bits(__nv_bfloat16::format::encode(a, simt::rounding::down));
}
inline __nv_bfloat16 __float2bfloat16_ru(const float a) {
  return __nv_bfloat16::from_bits(__nv_bfloat16::format::encode(a, simt::rounding::up));
}
inline __nv_bfloat16 __double2bfloat16(const double a) { return __nv_bfloat16::nearest(a); }
inline float __bfloat162float(const __nv_bfloat16 a) { return a.value(); }
inline __nv_bfloat16 __short2bfloat16_rn(const short i) { return __nv_bfloat16::nearest(i); }
inline __nv_bfloat16 __ushort2bfloat16_rn(const unsigned short i) { return __nv_bfloat16::nearest(i); }
inline __nv_bfloat16 __int2bfloat16_rn(const int i) { return __nv_bfloat16::nearest(i); }
inline __nv_bfloat16 __uint2bfloat16_rn(const unsigned i) { return __nv_bfloat16::nearest(i); }
inline __nv_bfloat16 __ll2bfloat16_rn(const long long i) { return __nv_bfloat16::nearest(i); }
inline __nv_bfloat16 __ull2bfloat16_rn(const unsigned long long i) { return __nv_bfloat16::nearest(i); }
inline int __bfloat162int_rz(const __nv_bfloat16 a) { return a.to_integer<int>(); }
inline unsigned __bfloat162uint_rz(const __nv_bfloat16 a) { return a.to_integer<unsigned>(); }
inline long long __bfloat162ll_rz(const __nv_bfloat16 a) { return a.to_integer<long long>(); }
inline unsigned long long __bfloat162ull_rz(const __nv_bfloat16 a) { return a.to_integer<unsigned long long>(); }
inline int __bfloat162int_rn(const __nv_bfloat16 a) { return hrint(a).to_integer<int>(); }
inline short __bfloat16_as_short(const __nv_bfloat16 a) { return short(a.bits()); }
inline unsigned short __bfloat16_as_ushort(const __nv_bfloat16 a) { return a.bits(); }
inline __nv_bfloat16 __short_as_bfloat16(const short bits) {
  return __nv_bfloat16::from_bits(static_cast<unsigned short>(bits));
}
inline __nv_bfloat16 __ushort_as_bfloat16(const unsigned short bits) {
  return __nv_bfloat16::from_bits(bits);
}

// ---- pairs ----
inline __nv_bfloat162 make_bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
inline __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 low, const __nv_bfloat16 high) {
  return __nv_bfloat162(low, high);
}
inline __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a) { return __nv_bfloat162(a, a); }
inline __nv_bfloat162 __float2bfloat162_rn(const float a) {
  return __nv_bfloat162(__nv_bfloat16::nearest(a), __nv_bfloat16::nearest(a));
}
inline __nv_bfloat162 __floats2bfloat162_rn(const float low, const float high) {
  return __nv_bfloat162(__nv_bfloat16::nearest(low), __nv_bfloat16::nearest(high));
}
inline __nv_bfloat162 __float22bfloat162_rn(const float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
inline float2 __bfloat1622float2(const __nv_bfloat162 a) { return {a.x.value(), a.y.value()}; }
inline __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a) { return a.y; }
inline __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
inline __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }

#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000U)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3F80U)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7FFFU)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7FU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
