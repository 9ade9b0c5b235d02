// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

namespace gpuprim::inline v0_2_0::ptx {

/// The lanes of the warp whose words agree with the caller's in the lowest `Bits` bits. All lanes call it.
template <int Bits>
__device__ __forceinline__ unsigned match_low_bits(unsigned word) {
#if defined(SIMT_DEVICE)
  return __match_any_sync(0xffffffffu, word & ((1u << Bits) - 1));
#else
  unsigned apart = 0, other = 0;
#pragma unroll
  for (int bit = 0; bit < Bits; ++bit) {
    // The lanes that vote as the caller does not. Those that do would be joined by "and", and where ptxas 13.0 knows
    // the vote, it may take 0 for its complement there.
    unsigned differ;
    asm volatile(
        "{\n .reg .pred p;\n .reg .b32 t, votes;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
        " vote.sync.ballot.b32 votes, p, 0xffffffff;\n selp.b32 t, -1, 0, p;\n xor.b32 %0, t, votes;\n}"
        : "=r"(differ)
        : "r"(word), "r"(1u << bit));
    // The compiler does not see by itself that one instruction joins three words, and complements what they make.
    if (bit == Bits - 1 && bit % 2 == 0) return ~(apart | differ);
    if (bit % 2 == 0) other = differ;
    else if (bit < Bits - 1) asm("lop3.b32 %0, %0, %1, %2, 0xfe;" : "+r"(apart) : "r"(other), "r"(differ));
    else asm("lop3.b32 %0, %0, %1, %2, 0x01;" : "+r"(apart) : "r"(other), "r"(differ));
  }
  return apart;
#endif
}

}  // namespace gpuprim::ptx
