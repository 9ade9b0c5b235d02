// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half and __half2, in software: no toolkit is needed. The macros that take conversions and operators away do so
// here.
#pragma once

#include <cuda_runtime.h>

#include <simt/small_float_functions.hpp>

struct __half_raw {
  unsigned short x;
};

struct __nv_bfloat16;

#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define SIMT_HALF_CONVERTS false
#else
#define SIMT_HALF_CONVERTS true
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define SIMT_HALF_OPERATES false
#else
#define SIMT_HALF_OPERATES true
#endif

struct __half : simt::small_float<__half, 5, 10, SIMT_HALF_CONVERTS, SIMT_HALF_OPERATES> {
  using small_float::small_float;
  __half() = default;
  __half(const __half_raw& raw) : small_float(from_bits(raw.x)) {}
#if SIMT_HALF_CONVERTS
  explicit __half(const __nv_bfloat16& other);  // defined where that type is: cuda_bf16.h
#endif
  operator __half_raw() const { return {bits()}; }
};
using half = __half;

SIMT_SMALL_FLOAT_SCALAR(__half)
SIMT_SMALL_FLOAT_PAIR(__half, __half2)
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
SIMT_SMALL_FLOAT_PAIR_OPERATORS(__half2)
#endif
using half2 = __half2;

// ---- conversions of one number ----
inline __half __float2half(const float a) { return __half::nearest(a); }
inline __half __float2half_rn(const float a) { return __half::nearest(a); }
inline __half __float2half_rz(const float a) {
  return __half::from_bits(__half::format::encode(a, simt::rounding::to_zero));
}
inline __half __float2half_rd(const float a) {
  return __half::from_bits(__half::format::encode(a, simt::rounding::down));
}
inline __half __float2half_ru(const float a) {
  return __half::from_bits(__half::format::encode(a, simt::rounding::up));
}
inline __half __double2half(const double a) { return __half::nearest(a); }
inline float __half2float(const __half a) { return a.value(); }
inline __half __short2half_rn(const short i) { return __half::nearest(i); }
inline __half __ushort2half_rn(const unsigned short i) { return __half::nearest(i); }
inline __half __int2half_rn(const int i) { return __half::nearest(i); }
inline __half __uint2half_rn(const unsigned i) { return __half::nearest(i); }
inline __half __ll2half_rn(const long long i) { return __half::nearest(i); }
inline __half __ull2half_rn(const unsigned long long i) { return __half::nearest(i); }
inline int __half2int_rz(const __half a) { return a.to_integer<int>(); }
inline unsigned __half2uint_rz(const __half a) { return a.to_integer<unsigned>(); }
inline short __half2short_rz(const __half a) { return a.to_integer<short>(); }
inline unsigned short __half2ushort_rz(const __half a) { return a.to_integer<unsigned short>(); }
inline long long __half2ll_rz(const __half a) { return a.to_integer<long long>(); }
inline unsigned long long __half2ull_rz(const __half a) { return a.to_integer<unsigned long long>(); }
inline int __half2int_rn(const __half a) { return hrint(a).to_integer<int>(); }
inline short __half_as_short(const __half a) { return short(a.bits()); }
inline unsigned short __half_as_ushort(const __half a) { return a.bits(); }
inline __half __short_as_half(const short bits) {
  return __half::from_bits(static_cast<unsigned short>(bits));
}
inline __half __ushort_as_half(const unsigned short bits) { return __half::from_bits(bits); }

// ---- pairs ----
inline __half2 make_half2(const __half x, const __half y) { return __half2(x, y); }
inline __half2 __halves2half2(const __half low, const __half high) { return __half2(low, high); }
inline __half2 __half2half2(const __half a) { return __half2(a, a); }
inline __half2 __float2half2_rn(const float a) { return __half2(__half::nearest(a), __half::nearest(a)); }
inline __half2 __floats2half2_rn(const float low, const float high) {
  return __half2(__half::nearest(low), __half::nearest(high));
}
inline __half2 __float22half2_rn(const float2 a) { return __floats2half2_rn(a.x, a.y); }
inline float2 __half22float2(const __half2 a) { return {a.x.value(), a.y.value()}; }
inline __half __low2half(const __half2 a) { return a.x; }
inline __half __high2half(const __half2 a) { return a.y; }
inline __half2 __low2half2(const __half2 a) { return __half2(a.x, a.x); }
inline __half2 __high2half2(const __half2 a) { return __half2(a.y, a.y); }
inline __half2 __lows2half2(const __half2 a, const __half2 b) { return __half2(a.x, b.x); }
inline __half2 __highs2half2(const __half2 a, const __half2 b) { return __half2(a.y, b.y); }

#define CUDART_ZERO_FP16 __ushort_as_half(0x0000U)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000U)
#define CUDART_ONE_FP16 __ushort_as_half(0x3C00U)
#define CUDART_INF_FP16 __ushort_as_half(0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half(0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7BFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001U)
