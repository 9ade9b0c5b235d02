// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/operator_traits.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gpuprim::inline v0_2_0::ptx {

/// a * b in 64 bits. It is one instruction. The compiler makes the same one for a product of widened numbers, but it
/// widens them early and so keeps more registers in use.
template <class T>
__device__ __forceinline__ auto multiply_wide(T a, T b) {
  static_assert(std::is_integral_v<T> && sizeof(T) == 4);
  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> product;
#if defined(SIMT_DEVICE)
  product = a;
  product *= b;
#else
  if constexpr (std::is_signed_v<T>) asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  else asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
#endif
  return product;
}

/// True if one instruction (dp4a, dp2a) adds all 8- or 16-bit integers in a 32-bit word to a 32-bit sum.
template <class Op, class T, class Acc>
inline constexpr bool has_packed_sum =
    detail::is_from<Op, plus> && std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 2 &&
    std::is_integral_v<Acc> && sizeof(Acc) == 4 && std::is_signed_v<T> == std::is_signed_v<Acc>;

/// Adds the integers of type T in `word` to `sum`.
template <class T, class Acc>
__device__ __forceinline__ Acc add_packed(std::uint32_t word, Acc sum) {
#if defined(SIMT_DEVICE)
  T parts[4 / sizeof(T)];
  std::memcpy(parts, &word, sizeof word);
  for (T part : parts) sum = static_cast<Acc>(unsigned(sum) + unsigned(part));
  return sum;
#else
  if constexpr (std::is_signed_v<T> && sizeof(T) == 1) return __dp4a(int(word), 0x01010101, int(sum));
  else if constexpr (std::is_signed_v<T>) return __dp2a_lo(int(word), 0x0101, int(sum));
  else if constexpr (sizeof(T) == 1) return __dp4a(word, 0x01010101u, unsigned(sum));
  else return __dp2a_lo(word, 0x0101u, unsigned(sum));
#endif
}

/// Adds the products of the four 8-bit integers of two words, whose types are A and B, to `sum`, modulo 2^32 (dp4a).
template <class A, class B>
__device__ __forceinline__ std::uint32_t multiply_add_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  static_assert(sizeof(A) == 1 && sizeof(B) == 1);
#if defined(SIMT_DEVICE)
  A x[4];
  B y[4];
  std::memcpy(x, &a, sizeof a);
  std::memcpy(y, &b, sizeof b);
  for (int i = 0; i < 4; ++i) sum += std::uint32_t(int(x[i]) * int(y[i]));
  return sum;
#else
  std::uint32_t total;
  if constexpr (std::is_signed_v<A> && std::is_signed_v<B>) {
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(total) : "r"(a), "r"(b), "r"(sum));
  } else if constexpr (std::is_signed_v<A>) {
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(total) : "r"(a), "r"(b), "r"(sum));
  } else if constexpr (std::is_signed_v<B>) {
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(total) : "r"(a), "r"(b), "r"(sum));
  } else {
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(total) : "r"(a), "r"(b), "r"(sum));
  }
  return total;
#endif
}

/// The products of 16-bit integers in two parts, each of which 64 words leave within 32 bits: low + 256 * high.
struct split_sum {
  std::int32_t low, high;
};

/// Adds the products of the two 16-bit integers of two words. dp2a multiplies 16 by 8 bits, so b = 256 * h + l is taken
/// apart into its bytes: a permutation and two dp2a for two products.
template <class A, class B>
__device__ __forceinline__ split_sum multiply_add_halfwords(std::uint32_t a, std::uint32_t b, split_sum sum) {
  static_assert(sizeof(A) == 2 && sizeof(B) == 2);
#if defined(SIMT_DEVICE)
  A x[2];
  B y[2];
  std::memcpy(x, &a, sizeof a);
  std::memcpy(y, &b, sizeof b);
  for (int i = 0; i < 2; ++i) {
    sum.low += int(x[i]) * (int(y[i]) & 0xff);
    sum.high += int(x[i]) * (int(y[i]) >> 8);
  }
#else
  const std::uint32_t bytes = __byte_perm(b, 0, 0x3120);  // l0, l1, h0, h1
  if constexpr (std::is_signed_v<A>) {
    asm("dp2a.lo.s32.u32 %0, %1, %2, %0;" : "+r"(sum.low) : "r"(a), "r"(bytes));
    if constexpr (std::is_signed_v<B>) asm("dp2a.hi.s32.s32 %0, %1, %2, %0;" : "+r"(sum.high) : "r"(a), "r"(bytes));
    else asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(sum.high) : "r"(a), "r"(bytes));
  } else {
    asm("dp2a.lo.u32.u32 %0, %1, %2, %0;" : "+r"(sum.low) : "r"(a), "r"(bytes));
    if constexpr (std::is_signed_v<B>) asm("dp2a.hi.u32.s32 %0, %1, %2, %0;" : "+r"(sum.high) : "r"(a), "r"(bytes));
    else asm("dp2a.hi.u32.u32 %0, %1, %2, %0;" : "+r"(sum.high) : "r"(a), "r"(bytes));
  }
#endif
  return sum;
}

}  // namespace gpuprim::ptx
