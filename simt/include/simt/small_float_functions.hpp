// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that CUDA overloads for __half and __nv_bfloat16 alike, or names after them, made for one number type
// and its pair.
#pragma once

#include <cmath>

#include <simt/atomics.hpp>
#include <simt/small_float.hpp>
#include <simt/warp.hpp>

// Arithmetic, comparison and math of one number.
#define SIMT_SMALL_FLOAT_SCALAR(T)                                                                   \
  inline T __hadd(const T a, const T b) { return T::nearest(a.value() + b.value()); }                \
  inline T __hsub(const T a, const T b) { return T::nearest(a.value() - b.value()); }                \
  inline T __hmul(const T a, const T b) { return T::nearest(a.value() * b.value()); }                \
  inline T __hdiv(const T a, const T b) { return T::nearest(a.value() / b.value()); }                \
  inline T __hadd_rn(const T a, const T b) { return T::nearest(a.value() + b.value()); }             \
  inline T __hsub_rn(const T a, const T b) { return T::nearest(a.value() - b.value()); }             \
  inline T __hmul_rn(const T a, const T b) { return T::nearest(a.value() * b.value()); }             \
  inline T __hfma(const T a, const T b, const T c) { return simt::fused_multiply_add(a, b, c); }     \
  inline T __hneg(const T a) { return T::from_bits(a.bits() ^ 0x8000); }                             \
  inline T __habs(const T a) { return T::from_bits(a.bits() & 0x7fff); }                             \
  inline T __hmax(const T a, const T b) { return simt::maximum(a, b); }                              \
  inline T __hmin(const T a, const T b) { return simt::minimum(a, b); }                              \
  inline T __hmax_nan(const T a, const T b) {                                                        \
    return a.is_nan() || b.is_nan() ? T::from_bits(T::format::quiet_nan) : simt::maximum(a, b);      \
  }                                                                                                  \
  inline T __hmin_nan(const T a, const T b) {                                                        \
    return a.is_nan() || b.is_nan() ? T::from_bits(T::format::quiet_nan) : simt::minimum(a, b);      \
  }                                                                                                  \
  inline bool __heq(const T a, const T b) { return a.value() == b.value(); }                         \
  inline bool __hne(const T a, const T b) { return a.value() < b.value() || a.value() > b.value(); } \
  inline bool __hlt(const T a, const T b) { return a.value() < b.value(); }                          \
  inline bool __hgt(const T a, const T b) { return a.value() > b.value(); }                          \
  inline bool __hle(const T a, const T b) { return a.value() <= b.value(); }                         \
  inline bool __hge(const T a, const T b) { return a.value() >= b.value(); }                         \
  inline bool __hequ(const T a, const T b) { return !__hne(a, b); }                                  \
  inline bool __hneu(const T a, const T b) { return !(a.value() == b.value()); }                     \
  inline bool __hltu(const T a, const T b) { return !(a.value() >= b.value()); }                     \
  inline bool __hgtu(const T a, const T b) { return !(a.value() <= b.value()); }                     \
  inline bool __hleu(const T a, const T b) { return !(a.value() > b.value()); }                      \
  inline bool __hgeu(const T a, const T b) { return !(a.value() < b.value()); }                      \
  inline bool __hisnan(const T a) { return a.is_nan(); }                                             \
  inline int __hisinf(const T a) { return a.is_infinite() ? (a.bits() & 0x8000 ? -1 : 1) : 0; }      \
  inline T hsqrt(const T a) { return T::nearest(std::sqrt(a.value())); }                             \
  inline T hrsqrt(const T a) { return T::nearest(1.0 / std::sqrt(double(a.value()))); }              \
  inline T hrcp(const T a) { return T::nearest(1.0f / a.value()); }                                  \
  inline T hexp(const T a) { return T::nearest(std::exp(double(a.value()))); }                       \
  inline T hexp2(const T a) { return T::nearest(std::exp2(double(a.value()))); }                     \
  inline T hlog(const T a) { return T::nearest(std::log(double(a.value()))); }                       \
  inline T hlog2(const T a) { return T::nearest(std::log2(double(a.value()))); }                     \
  inline T hsin(const T a) { return T::nearest(std::sin(double(a.value()))); }                       \
  inline T hcos(const T a) { return T::nearest(std::cos(double(a.value()))); }                       \
  inline T htrunc(const T a) { return T::nearest(std::trunc(a.value())); }                           \
  inline T hceil(const T a) { return T::nearest(std::ceil(a.value())); }                             \
  inline T hfloor(const T a) { return T::nearest(std::floor(a.value())); }                           \
  inline T hrint(const T a) { return T::nearest(std::nearbyint(a.value())); }                        \
  inline T atomicAdd(T* address, T value, SIMT_HERE) {                                               \
    return simt::read_modify_write(address, [&](T old) { return __hadd(old, value); }, here);        \
  }                                                                                                  \
  SIMT_SHUFFLES(T)

// A pair works on both its numbers at once.
#define SIMT_SMALL_FLOAT_PAIR_BINARY(T2, name, scalar) \
  inline T2 name(const T2 a, const T2 b) { return T2(scalar(a.x, b.x), scalar(a.y, b.y)); }
#define SIMT_SMALL_FLOAT_PAIR_COMPARE(T, T2, name)                                                         \
  inline T2 __h##name##2(const T2 a, const T2 b) {                                                         \
    return T2(T::nearest(__h##name(a.x, b.x)), T::nearest(__h##name(a.y, b.y)));                           \
  }                                                                                                        \
  inline bool __hb##name##2(const T2 a, const T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  inline unsigned __h##name##2_mask(const T2 a, const T2 b) {                                              \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                \
  }

#define SIMT_SMALL_FLOAT_PAIR(T, T2)                                                                                 \
  struct alignas(4) T2 {                                                                                             \
    T x, y;                                                                                                          \
    T2() = default;                                                                                                  \
    T2(const T& low, const T& high) : x(low), y(high) {}                                                             \
  };                                                                                                                 \
  SIMT_SMALL_FLOAT_PAIR_BINARY(T2, __hadd2, __hadd)                                                                  \
  SIMT_SMALL_FLOAT_PAIR_BINARY(T2, __hsub2, __hsub)                                                                  \
  SIMT_SMALL_FLOAT_PAIR_BINARY(T2, __hmul2, __hmul)                                                                  \
  SIMT_SMALL_FLOAT_PAIR_BINARY(T2, __h2div, __hdiv)                                                                  \
  SIMT_SMALL_FLOAT_PAIR_BINARY(T2, __hmax2, __hmax)                                                                  \
  SIMT_SMALL_FLOAT_PAIR_BINARY(T2, __hmin2, __hmin)                                                                  \
  SIMT_SMALL_FLOAT_PAIR_COMPARE(T, T2, eq)                                                                           \
  SIMT_SMALL_FLOAT_PAIR_COMPARE(T, T2, ne)                                                                           \
  SIMT_SMALL_FLOAT_PAIR_COMPARE(T, T2, lt)                                                                           \
  SIMT_SMALL_FLOAT_PAIR_COMPARE(T, T2, gt)                                                                           \
  SIMT_SMALL_FLOAT_PAIR_COMPARE(T, T2, le)                                                                           \
  SIMT_SMALL_FLOAT_PAIR_COMPARE(T, T2, ge)                                                                           \
  inline T2 __hfma2(const T2 a, const T2 b, const T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); } \
  inline T2 __hneg2(const T2 a) { return T2(__hneg(a.x), __hneg(a.y)); }                                             \
  inline T2 __habs2(const T2 a) { return T2(__habs(a.x), __habs(a.y)); }                                             \
  inline float __low2float(const T2 a) { return a.x.value(); }                                                       \
  inline float __high2float(const T2 a) { return a.y.value(); }                                                      \
  inline T2 __lowhigh2highlow(const T2 a) { return T2(a.y, a.x); }                                                   \
  inline T2 atomicAdd(T2* address, T2 value, SIMT_HERE) {                                                            \
    return T2(atomicAdd(&address->x, value.x, here), atomicAdd(&address->y, value.y, here));                         \
  }                                                                                                                  \
  SIMT_SHUFFLES(T2)

#define SIMT_SMALL_FLOAT_PAIR_OPERATORS(T2)                                   \
  inline T2 operator+(const T2& a, const T2& b) { return __hadd2(a, b); }     \
  inline T2 operator-(const T2& a, const T2& b) { return __hsub2(a, b); }     \
  inline T2 operator*(const T2& a, const T2& b) { return __hmul2(a, b); }     \
  inline T2 operator/(const T2& a, const T2& b) { return __h2div(a, b); }     \
  inline T2 operator-(const T2& a) { return __hneg2(a); }                     \
  inline T2& operator+=(T2& a, const T2& b) { return a = __hadd2(a, b); }     \
  inline T2& operator-=(T2& a, const T2& b) { return a = __hsub2(a, b); }     \
  inline T2& operator*=(T2& a, const T2& b) { return a = __hmul2(a, b); }     \
  inline T2& operator/=(T2& a, const T2& b) { return a = __h2div(a, b); }     \
  inline bool operator==(const T2& a, const T2& b) { return __hbeq2(a, b); }  \
  inline bool operator!=(const T2& a, const T2& b) { return !__hbeq2(a, b); } \
  inline bool operator<(const T2& a, const T2& b) { return __hblt2(a, b); }   \
  inline bool operator>(const T2& a, const T2& b) { return __hbgt2(a, b); }   \
  inline bool operator<=(const T2& a, const T2& b) { return __hble2(a, b); }  \
  inline bool operator>=(const T2& a, const T2& b) { return __hbge2(a, b); }

// Conversions of one number and of pairs, which CUDA names after the type: `half` or `bfloat16`.
#define SIMT_SMALL_FLOAT_CONVERSIONS(T, T2, name)                                                                      \
  inline T __float2##name(const float a) { return T::nearest(a); }                                                     \
  inline T __float2##name##_rn(const float a) { return T::nearest(a); }                                                \
  inline T __float2##name##_rz(const float a) { return T::from_bits(T::format::encode(a, simt::rounding::to_zero)); }  \
  inline T __float2##name##_rd(const float a) { return T::from_bits(T::format::encode(a, simt::rounding::down)); }     \
  inline T __float2##name##_ru(const float a) { return T::from_bits(T::format::encode(a, simt::rounding::up)); }       \
  inline T __double2##name(const double a) { return T::nearest(a); }                                                   \
  inline float __##name##2float(const T a) { return a.value(); }                                                       \
  inline T __short2##name##_rn(const short i) { return T::nearest(i); }                                                \
  inline T __ushort2##name##_rn(const unsigned short i) { return T::nearest(i); }                                      \
  inline T __int2##name##_rn(const int i) { return T::nearest(i); }                                                    \
  inline T __uint2##name##_rn(const unsigned i) { return T::nearest(i); }                                              \
  inline T __ll2##name##_rn(const long long i) { return T::nearest(i); }                                               \
  inline T __ull2##name##_rn(const unsigned long long i) { return T::nearest(i); }                                     \
  inline short __##name##2short_rz(const T a) { return a.to_integer<short>(); }                                        \
  inline unsigned short __##name##2ushort_rz(const T a) { return a.to_integer<unsigned short>(); }                     \
  inline int __##name##2int_rz(const T a) { return a.to_integer<int>(); }                                              \
  inline unsigned __##name##2uint_rz(const T a) { return a.to_integer<unsigned>(); }                                   \
  inline long long __##name##2ll_rz(const T a) { return a.to_integer<long long>(); }                                   \
  inline unsigned long long __##name##2ull_rz(const T a) { return a.to_integer<unsigned long long>(); }                \
  inline int __##name##2int_rn(const T a) { return hrint(a).to_integer<int>(); }                                       \
  inline short __##name##_as_short(const T a) { return short(a.bits()); }                                              \
  inline unsigned short __##name##_as_ushort(const T a) { return a.bits(); }                                           \
  inline T __short_as_##name(const short bits) { return T::from_bits(static_cast<unsigned short>(bits)); }             \
  inline T __ushort_as_##name(const unsigned short bits) { return T::from_bits(bits); }                                \
  inline T2 make_##name##2(const T x, const T y) { return T2(x, y); }                                                  \
  inline T2 __halves2##name##2(const T low, const T high) { return T2(low, high); }                                    \
  inline T2 __##name##2##name##2(const T a) { return T2(a, a); }                                                       \
  inline T2 __float2##name##2_rn(const float a) { return T2(T::nearest(a), T::nearest(a)); }                           \
  inline T2 __floats2##name##2_rn(const float low, const float high) { return T2(T::nearest(low), T::nearest(high)); } \
  inline T2 __float22##name##2_rn(const float2 a) { return __floats2##name##2_rn(a.x, a.y); }                          \
  inline float2 __##name##22float2(const T2 a) { return {a.x.value(), a.y.value()}; }                                  \
  inline T __low2##name(const T2 a) { return a.x; }                                                                    \
  inline T __high2##name(const T2 a) { return a.y; }                                                                   \
  inline T2 __low2##name##2(const T2 a) { return T2(a.x, a.x); }                                                       \
  inline T2 __high2##name##2(const T2 a) { return T2(a.y, a.y); }                                                      \
  inline T2 __lows2##name##2(const T2 a, const T2 b) { return T2(a.x, b.x); }                                          \
  inline T2 __highs2##name##2(const T2 a, const T2 b) { return T2(a.y, b.y); }
