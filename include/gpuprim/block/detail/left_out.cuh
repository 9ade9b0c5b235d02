// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/shared.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// The block calls `take(i)` for each item i that one of its warps has left out: bit k of `left_out` is segment `first`
/// + k of the calling warp.
template <int BlockSize, class Take>
__device__ __forceinline__ void take_left_out(std::int64_t first, unsigned left_out, const Take& take) {
  constexpr int warps = BlockSize / warp_size;
  GPUPRIM_SHARED(masks, shared_array<unsigned, warps>);
  GPUPRIM_SHARED(firsts, shared_array<std::int64_t, warps>);
  const this_block block;
  const int rank = int(block.thread_rank());
  if (rank % warp_size == 0) {
    masks[rank / warp_size] = left_out;
    firsts[rank / warp_size] = first;
  }
  if (!block.any(left_out != 0)) return;
#pragma unroll 1
  for (int warp = 0; warp < warps; ++warp) {
    for (unsigned rest = masks[warp]; rest != 0; rest &= rest - 1) take(firsts[warp] + __ffs(int(rest)) - 1);
  }
}

}  // namespace gpuprim::detail
