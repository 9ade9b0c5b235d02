// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::ptx {

/// The number that an 8-bit float of type T means, by the definition of its format.
template <class T>
__device__ __forceinline__ float widen_byte(std::uint32_t bits) {
  constexpr bool is_e4m3 = std::is_same_v<T, __nv_fp8_e4m3>;
  constexpr int mantissa_bits = is_e4m3 ? 3 : 2, bias = is_e4m3 ? 7 : 15;
  constexpr std::uint32_t one = 1u << mantissa_bits, first_special = is_e4m3 ? 0x7f : 0x7c;
  constexpr std::uint32_t infinity = 0x7f800000, quiet_nan = 0x7fffffff;
  const std::uint32_t sign = bits << 24 & 0x80000000u, magnitude = bits & 0x7f;
  std::uint32_t wide;
  if (magnitude >= first_special) {  // of e4m3 the one NaN, of e5m2 infinity and NaNs
    wide = !is_e4m3 && magnitude == first_special ? infinity : quiet_nan;
  } else if (magnitude < one) {
    constexpr float least = 1 / float(one << (bias - 1));
    wide = __float_as_uint(float(int(magnitude)) * least);
  } else {
    wide = (magnitude << (23 - mantissa_bits)) + (std::uint32_t(127 - bias) << 23);
  }
  return __uint_as_float(wide | sign);
}

/// The two 8-bit floats of type T in the lower half of a word, as floats. Exact.
template <class T>
__device__ __forceinline__ float2 widen_pair(std::uint32_t pair) {
  static_assert(is_quarter_precision<T>);
  float2 wide;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  const auto bytes = static_cast<unsigned short>(pair);
  if constexpr (std::is_same_v<T, __nv_fp8_e4m3>) {
    asm("{ .reg .b16 low, high; .reg .b32 both; cvt.rn.f16x2.e4m3x2 both, %2; mov.b32 {low, high}, both; "
        "cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(wide.x), "=f"(wide.y)
        : "h"(bytes));
  } else {
    asm("{ .reg .b16 low, high; .reg .b32 both; cvt.rn.f16x2.e5m2x2 both, %2; mov.b32 {low, high}, both; "
        "cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(wide.x), "=f"(wide.y)
        : "h"(bytes));
  }
#else
  wide.x = widen_byte<T>(pair & 0xff);
  wide.y = widen_byte<T>(pair >> 8 & 0xff);
#endif
  return wide;
}

}  // namespace gpuprim::ptx
