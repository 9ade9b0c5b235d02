// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

namespace gpuprim::ptx {

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
  for (T part : parts) sum = plus<Acc>{}(sum, static_cast<Acc>(part));
  return sum;
#else
  if constexpr (std::is_signed_v<T> && sizeof(T) == 1) return __dp4a(int(word), 0x01010101, int(sum));
  else if constexpr (std::is_signed_v<T>) return __dp2a_lo(int(word), 0x0101, int(sum));
  else if constexpr (sizeof(T) == 1) return __dp4a(word, 0x01010101u, unsigned(sum));
  else return __dp2a_lo(word, 0x0101u, unsigned(sum));
#endif
}

}  // namespace gpuprim::ptx
