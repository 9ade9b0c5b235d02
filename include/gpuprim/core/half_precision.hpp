// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the library converts 16-bit floats. A program may have taken their conversions and operators away by macros such
// as `__CUDA_NO_HALF_CONVERSIONS__`. The functions of cuda_fp16.h and cuda_bf16.h are always there and give what the
// operators give, so that units of a program may differ in those macros. This header does not include those two: their
// functions are found by their arguments where a template is instantiated.
#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// A number that becomes a Half. The argument Half of this type is what leads the compiler to the functions that are
/// declared beside Half, where a plain float would not.
template <class Half, class Number>
struct number_for {
  Number number;
  GPUPRIM_HOST_DEVICE constexpr operator Number() const { return number; }
};

/// A 16-bit float as a float. Exact.
template <class Half>
GPUPRIM_HOST_DEVICE constexpr float half_to_float(const Half& x) {
  if constexpr (std::is_same_v<Half, __half>) return __half2float(x);
  else return __bfloat162float(x);
}

/// True for 16-bit floats, which compare as the floats that they are where they are not of one type.
template <class A, class B>
inline constexpr bool are_half_precision = is_half_precision<A> && is_half_precision<B>;

/// A number as the nearest 16-bit float, rounded once.
template <class Half, class Number>
GPUPRIM_HOST_DEVICE constexpr Half to_half(const Number& x) {
  constexpr bool is_float = std::is_same_v<Number, float>, is_real = std::is_floating_point_v<Number>;
  using widest_integer = std::conditional_t<std::is_signed_v<Number>, long long, unsigned long long>;
  using exact = std::conditional_t<is_float, float, std::conditional_t<is_real, double, widest_integer>>;
  const number_for<Half, exact> same{static_cast<exact>(x)};
  if constexpr (std::is_same_v<Half, __half>) {
    if constexpr (is_float) return __float2half(same);
    else if constexpr (is_real) return __double2half(same);
    else if constexpr (std::is_signed_v<exact>) return __ll2half_rn(same);
    else return __ull2half_rn(same);
  } else {
    if constexpr (is_float) return __float2bfloat16(same);
    else if constexpr (is_real) return __double2bfloat16(same);
    else if constexpr (std::is_signed_v<exact>) return __ll2bfloat16_rn(same);
    else return __ull2bfloat16_rn(same);
  }
}

/// True where a 16-bit float becomes a To, or a From a 16-bit float, and the language has no conversion. Whether it has
/// one is asked of such types alone, because a conjunction ends at its first false part.
template <class To, class From>
concept needs_conversion = ((is_half_precision<To> && (std::is_arithmetic_v<From> || is_half_precision<From>)) ||
                            (is_half_precision<From> && std::is_arithmetic_v<To>)) &&
                           !requires(const From& x) { static_cast<To>(x); };

/// What `static_cast<To>` takes in place of x: x itself, but where a conversion of a 16-bit float is not there. The
/// cast is left to the caller, whose function knows on which side it runs; a conversion of the user's may be of one
/// alone.
template <class To, class From>
GPUPRIM_HOST_DEVICE constexpr decltype(auto) convertible(From&& x) {
  using to = std::remove_cvref_t<To>;
  using from = std::remove_cvref_t<From>;
  if constexpr (!needs_conversion<to, from>) return static_cast<From&&>(x);
  else if constexpr (!is_half_precision<to>) return detail::half_to_float(x);
  else if constexpr (is_half_precision<from>) return detail::to_half<to>(detail::half_to_float(x));
  else return detail::to_half<to>(x);
}

/// True if a From converts to To where nothing is asked for, or by `convertible`.
template <class From, class To>
inline constexpr bool converts = std::is_convertible_v<const From&, To> || needs_conversion<To, From>;

/// Whether a number is another than 0.
template <class T>
GPUPRIM_HOST_DEVICE constexpr bool is_nonzero(const T& x) {
  return static_cast<bool>(detail::convertible<bool>(x));
}

}  // namespace detail

/// What a reduce in `T` may start from.
template <class Init, class T>
concept initial_value_for = requires(const Init& init) { static_cast<T>(detail::convertible<T>(init)); };

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
