// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

namespace gpuprim::inline v0_1_0::ptx {

/// The lanes of the warp whose words agree with the caller's in the lowest `Bits` bits. All lanes call it.
template <int Bits>
__device__ __forceinline__ unsigned match_low_bits(unsigned word) {
#if defined(SIMT_DEVICE)
  return __match_any_sync(0xffffffffu, word & ((1u << Bits) - 1));
#else
  unsigned same = 0xffffffffu, other = same;
#pragma unroll
  for (int bit = 0; bit < Bits; ++bit) {
    unsigned alike;  // the lanes that vote as the caller does
    asm volatile(
        "{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
        " vote.sync.ballot.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}"
        : "=r"(alike)
        : "r"(word), "r"(1u << bit));
    // The compiler does not see by itself that one instruction joins three words. An odd number of bits joins its last
    // word twice: ptxas 13.0 takes a plain `&` with the complement of a vote that it knows to be 0 for an `&` with 0.
    if (bit % 2 == 0) other = alike;
    if (bit % 2 == 1 || bit == Bits - 1) asm("lop3.b32 %0, %0, %1, %2, 0x80;" : "+r"(same) : "r"(other), "r"(alike));
  }
  return same;
#endif
}

}  // namespace gpuprim::ptx
