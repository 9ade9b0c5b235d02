// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The lane, and shuffles that tell whether the other lane is there: the instruction knows it, and a comparison of
// ranks would be one more.
#include <gpuprim/core/config.hpp>

namespace gpuprim::inline v0_2_0::ptx {

/// The calling thread's lane in its warp.
__device__ __forceinline__ unsigned lane() {
#if defined(SIMT_DEVICE)
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warp_size;
#else
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
#endif
}

/// The word of the lane `delta` before the calling one, among each `Width` lanes of the mask, and whether there is such
/// a lane. Else the lane's own word.
template <int Width>
__device__ __forceinline__ unsigned shuffle_up(unsigned mask, unsigned word, unsigned delta, bool& is_there) {
#if defined(SIMT_DEVICE)
  is_there = lane() % Width >= delta;
  return __shfl_up_sync(mask, word, delta, Width);
#else
  unsigned earlier, there;
  asm volatile("{\n .reg .pred p;\n shfl.sync.up.b32 %0|p, %2, %3, %4, %5;\n selp.u32 %1, 1, 0, p;\n}"
               : "=r"(earlier), "=r"(there)
               : "r"(word), "r"(delta), "n"((warp_size - Width) << 8), "r"(mask));
  is_there = there != 0;
  return earlier;
#endif
}

/// The word of the lane `delta` behind the calling one, among each `Width` lanes of the mask, if that is at most lane
/// `last`, and whether it is. Else the lane's own word.
template <int Width>
__device__ __forceinline__ unsigned shuffle_down(unsigned mask, unsigned word, unsigned delta, unsigned last,
                                                 bool& is_there) {
#if defined(SIMT_DEVICE)
  is_there = lane() + delta <= last;
  const unsigned later = __shfl_down_sync(mask, word, delta, Width);
  return is_there ? later : word;
#else
  unsigned later, there;
  asm volatile("{\n .reg .pred p;\n shfl.sync.down.b32 %0|p, %2, %3, %4, %5;\n selp.u32 %1, 1, 0, p;\n}"
               : "=r"(later), "=r"(there)
               : "r"(word), "r"(delta), "r"(last), "r"(mask));
  is_there = there != 0;
  return later;
#endif
}

}  // namespace gpuprim::ptx
