// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/accumulator.hpp>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/ptx/sm_61.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_80.cuh>
#include <gpuprim/ptx/sm_89.cuh>
#include <gpuprim/thread/load.cuh>

namespace gpuprim::inline v0_2_0 {

/// True for what dot takes: built-in numbers of up to 8 bytes, and 8-bit floats.
template <class T>
inline constexpr bool is_dot_element = (is_number<T> && sizeof(T) <= 8) || is_quarter_precision<T>;

namespace detail {

/// a * b + sum. Of floats with one rounding, or, of __nv_bfloat16 before sm_80, with that of a float first; integers
/// wrap.
template <class Acc>
__device__ __forceinline__ Acc multiply_add(const Acc& a, const Acc& b, const Acc& sum) {
  if constexpr (std::is_same_v<Acc, float>) return __fmaf_rn(a, b, sum);
  else if constexpr (std::is_same_v<Acc, double>) return __fma_rn(a, b, sum);
  else if constexpr (ptx::has_half_fma<Acc>) return __hfma(a, b, sum);
  else if constexpr (is_half_precision<Acc>)
    return detail::convert<Acc>(
        detail::multiply_add<float>(detail::convert<float>(a), detail::convert<float>(b), detail::convert<float>(sum)));
  else return plus<Acc>{}(multiplies<Acc>{}(a, b), sum);
}

/// A number as an accumulator. What 16- and 8-bit floats all convert to is float.
template <class Acc, class T>
__device__ __forceinline__ Acc widen(const T& x) {
  if constexpr (is_short_float<T>) return detail::convert<Acc>(detail::convert<float>(x));
  else return detail::convert<Acc>(x);
}

/// sum + a * b of two elements.
template <class A, class B, class Acc>
__device__ __forceinline__ Acc add_product(const A& a, const B& b, const Acc& sum) {
  constexpr bool is_wide =
      std::is_same_v<A, B> && std::is_integral_v<A> && std::is_integral_v<Acc> && sizeof(A) == 4 && sizeof(Acc) == 8;
  if constexpr (is_wide) return plus<Acc>{}(sum, static_cast<Acc>(ptx::multiply_wide(a, b)));
  else return multiply_add(widen<Acc>(a), widen<Acc>(b), sum);
}

/// The elements of a load; of 8-bit floats as floats.
template <class T>
__device__ __forceinline__ auto unpack_factors(const uint4& packed) {
  if constexpr (is_quarter_precision<T>) {
    constexpr int count = elements_per_load<T>;
    const std::uint32_t words[] = {packed.x, packed.y, packed.z, packed.w};
    uninitialized_array<float, count> wide;
#pragma unroll
    for (int i = 0; i < count; i += 2) {
      const float2 two = ptx::widen_pair<T>(words[i / 4] >> i % 4 * 8);
      wide[i] = two.x;
      wide[i + 1] = two.y;
    }
    return wide;
  } else {
    return unpack<T>(packed);
  }
}

/// True if dp4a or dp2a multiplies A by B and the sum is an integer.
template <class A, class B, class Acc>
inline constexpr bool has_packed_products =
    std::is_integral_v<A> && std::is_integral_v<B> && std::is_integral_v<Acc> && !std::is_same_v<A, bool> &&
    !std::is_same_v<B, bool> && sizeof(A) == sizeof(B) && sizeof(A) <= 2 && sizeof(Acc) >= 4;

}  // namespace detail

/// Adds the products of the elements of two packed loads to a sum: `thread_dot<T>(load_packed(a), load_packed(b),
/// sum)`. `warp_reduce` and `block_reduce` with `plus` add up what threads have.
///
/// @pre   A and B: numbers of one size, 8-bit floats among them. Acc: a number.
/// @sync  none.
/// @order floats: one chain of fused multiply-adds, first element first. Integers are exact modulo 2^(bits of Acc).
/// @cost  8-bit integers: 4 dp4a; 16-bit integers: 4 permutations and 8 dp2a; others: a conversion of each element
///        that is not an Acc, and a multiply-add a pair.
/// @return sum + a[0] * b[0] + a[1] * b[1] + ...; in float, products of 16- and 8-bit floats are exact but for those
///        of bfloat16 beyond its range.
/// @source Han, Sharma, "Learn CUDA Programming", 2019 (dp4a, dp2a).
/// @example examples/library/39_dot.cu
template <class A, class B = A, class Acc>
__device__ __forceinline__ Acc thread_dot(const uint4& a, const uint4& b, Acc sum) {
  static_assert(is_dot_element<A> && is_dot_element<B>, "gpuprim::thread_dot: the elements must be numbers");
  static_assert(sizeof(A) == sizeof(B), "gpuprim::thread_dot: the elements of both loads must be of one size");
  if constexpr (detail::has_packed_products<A, B, Acc>) {
    const std::uint32_t x[] = {a.x, a.y, a.z, a.w}, y[] = {b.x, b.y, b.z, b.w};
    // 16 products of 16 bits, or 8 of which each part has 24: a load's sum is exact in 32 bits, and then widened.
    using part = std::conditional_t<std::is_signed_v<A> || std::is_signed_v<B>, std::int32_t, std::uint32_t>;
    if constexpr (sizeof(A) == 1) {
      std::uint32_t all = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) all = ptx::multiply_add_bytes<A, B>(x[i], y[i], all);
      return plus<Acc>{}(sum, static_cast<Acc>(static_cast<part>(all)));
    } else {
      ptx::split_sum all{0, 0};
#pragma unroll
      for (int i = 0; i < 4; ++i) all = ptx::multiply_add_halfwords<A, B>(x[i], y[i], all);
      return plus<Acc>{}(sum, static_cast<Acc>(all.low + std::int64_t{256} * all.high));
    }
  } else {
    const auto x = detail::unpack_factors<A>(a);
    const auto y = detail::unpack_factors<B>(b);
#pragma unroll
    for (int i = 0; i < elements_per_load<A>; ++i) sum = detail::add_product(x[i], y[i], sum);
    return sum;
  }
}

}  // namespace gpuprim
