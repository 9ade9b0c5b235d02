// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::detail {

/// How many lanes before this one lies the nearest with its bit in `begun`, which may be this one; as many as there are
/// if none has.
__device__ __forceinline__ int lanes_since(unsigned begun) {
  const int lane = int(ptx::lane());
  const unsigned up_to_lane = begun << (warp_size - 1 - lane);
  return up_to_lane != 0 ? __clz(int(up_to_lane)) : lane;
}

/// Joins each lane's value with those of the `reach` lanes before it, in their order. Where a lane's reach begins,
/// those of the lanes between begin too, or later. All lanes of a warp call it; none reaches as far as `Lanes`.
template <int Lanes = warp_size, class T, class Op>
__device__ __forceinline__ T join_lanes_before(T value, int reach, const Op& op) {
#pragma unroll
  for (int delta = 1; delta < Lanes; delta *= 2) {
    const T before = detail::shuffle_up(value, unsigned(delta));
    if (delta <= reach) value = op(before, value);
  }
  return value;
}

}  // namespace gpuprim::detail
