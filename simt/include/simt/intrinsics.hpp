// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer, bit, conversion and load intrinsics, and the few math functions that CUDA adds to the host's.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include <simt/device_interface.hpp>

// ---- bits ----
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(unsigned(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return x ? std::countr_zero(unsigned(x)) + 1 : 0; }
inline int __ffsll(long long x) { return x ? std::countr_zero(static_cast<unsigned long long>(x)) + 1 : 0; }
inline unsigned long long __brevll(unsigned long long x) {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(x);
}
inline unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }
// Position of the n-th set bit counted from `base`: upwards for positive n, downwards for negative, -1 if
// none.
inline unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return mask >> (base & 31) & 1 ? base : ~0u;
  int step = n > 0 ? 1 : -1;
  for (int bit = int(base); bit >= 0 && bit < 32; bit += step) {
    if (mask >> bit & 1 && (n -= step) == 0) return unsigned(bit);
  }
  return ~0u;
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  std::uint64_t bytes = std::uint64_t(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= unsigned(bytes >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned((std::uint64_t(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned((std::uint64_t(high) << 32 | low) >> (shift & 31));
}

// ---- integers ----
inline int __mul24(int x, int y) { return int(unsigned(x << 8 >> 8) * unsigned(y << 8 >> 8)); }
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
inline int __mulhi(int x, int y) { return int(std::int64_t(x) * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) { return unsigned(std::uint64_t(x) * y >> 32); }
inline long long __mul64hi(long long x, long long y) { return static_cast<long long>(__int128(x) * y >> 64); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
inline unsigned __sad(int x, int y, unsigned z) { return (x < y ? unsigned(y) - x : unsigned(x) - y) + z; }
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }

namespace simt::detail {
// Dot product of packed integers; Element says whether the packed values are signed.
template <class Element, int Count, class Packed, class Sum>
Sum packed_dot(Packed a, Packed b, Sum sum) {
  Element left[Count], right[Count];
  std::memcpy(left, &a, sizeof(left));
  std::memcpy(right, &b, sizeof(right));
  unsigned total = unsigned(sum);
  for (int i = 0; i < Count; ++i) total += unsigned(int(left[i]) * int(right[i]));
  return Sum(total);
}
}  // namespace simt::detail
inline int __dp4a(int a, int b, int c) { return simt::detail::packed_dot<std::int8_t, 4>(a, b, c); }
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return simt::detail::packed_dot<std::uint8_t, 4>(a, b, c);
}
namespace simt::detail {
// Two 16-bit integers times two 8-bit ones, of which `bytes` are the lower or the upper two.
template <class Halfword, class Byte, class Packed>
Packed mixed_dot(Packed a, Packed bytes, Packed sum) {
  Halfword left[2];
  Byte right[4];
  std::memcpy(left, &a, sizeof(left));
  std::memcpy(right, &bytes, sizeof(right));
  return Packed(unsigned(sum) + unsigned(left[0] * right[0]) + unsigned(left[1] * right[1]));
}
}  // namespace simt::detail
inline int __dp2a_lo(int a, int b, int c) { return simt::detail::mixed_dot<std::int16_t, std::int8_t>(a, b, c); }
inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return simt::detail::mixed_dot<std::uint16_t, std::uint8_t>(a, b, c);
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }

// ---- conversions ----
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
/// Rounded towards zero: the 24 highest bits.
inline float __ull2float_rz(unsigned long long x) {
  const int less = 40 - std::countl_zero(x);
  return float(less > 0 ? x >> less << less : x);
}
inline float __uint2float_rz(unsigned x) { return __ull2float_rz(x); }
// Towards 0, to the nearest that an int can hold; of a NaN 0, or of one in double the least int.
inline int __float2int_rz(float x) {
  return x != x ? 0 : x <= -0x1p31f ? INT32_MIN : x >= 0x1p31f ? INT32_MAX : int(x);
}
inline int __double2int_rz(double x) { return !(x > -0x1p31) ? INT32_MIN : x >= 0x1p31 ? INT32_MAX : int(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

// ---- loads and stores with a cache hint: the hint has no meaning here ----
template <class T>
T __ldg(const T* p) {
  return *p;
}
template <class T>
T __ldca(const T* p) {
  return *p;
}
template <class T>
T __ldcg(const T* p) {
  return *p;
}
template <class T>
T __ldcs(const T* p) {
  return *p;
}
template <class T>
T __ldlu(const T* p) {
  return *p;
}
template <class T>
T __ldcv(const T* p) {
  return *p;
}
template <class T>
void __stwb(T* p, std::type_identity_t<T> v) {
  *p = v;
}
template <class T>
void __stcg(T* p, std::type_identity_t<T> v) {
  *p = v;
}
template <class T>
void __stcs(T* p, std::type_identity_t<T> v) {
  *p = v;
}
template <class T>
void __stwt(T* p, std::type_identity_t<T> v) {
  *p = v;
}

// ---- math ----
inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / std::cbrt(x); }
inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

#define SIMT_MIN_MAX(T)                            \
  inline T min(T a, T b) { return b < a ? b : a; } \
  inline T max(T a, T b) { return a < b ? b : a; }
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
#undef SIMT_MIN_MAX
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
// A NaN loses against a number, as in CUDA.
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }

// ---- address spaces, time and ends ----
inline unsigned __isShared(const void* p) { return simt::is_shared(p); }
inline unsigned __isGlobal(const void* p) { return !simt::is_shared(p); }
inline std::size_t __cvta_generic_to_shared(const void* p) { return reinterpret_cast<std::size_t>(p); }
inline long long clock64() { return simt::device_clock(); }
[[noreturn]] inline void __trap(SIMT_HERE) { simt::trap(here); }
