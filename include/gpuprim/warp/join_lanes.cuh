// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/words.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// A condition that is the same in all lanes. The vote makes that known to the compiler, which would otherwise guard
/// every later shuffle against a diverged warp.
__device__ __forceinline__ bool in_all_lanes(bool condition) { return __any_sync(0xffffffffu, condition); }

/// Distance to the nearest lane whose bit is set in `begun`, which may be this one; the number of all lanes before this
/// one if there is none.
__device__ __forceinline__ int lanes_since(unsigned begun) {
  const int lane = int(ptx::lane());
  const unsigned up_to_lane = begun << (warp_size - 1 - lane);
  return up_to_lane != 0 ? __clz(int(up_to_lane)) : lane;
}

/// Joins each lane's value with those of the `reach` lanes before it, in their order. The reach of a lane in between
/// begins at the same lane or later. All lanes of a warp call it, each with a `reach` less than `Lanes`.
template <int Lanes = warp_size, class T, class Op>
__device__ __forceinline__ T join_lanes_before(T value, int reach, const Op& op) {
  detail::for_strides<T, Lanes>(Lanes, [&](int delta) {
    const T before = detail::shuffle_up(value, unsigned(delta));
    if (delta <= reach) value = op(before, value);
  });
  return value;
}

/// Joins the values of each `lanes` neighbouring lanes; each of them gets the result. `lanes` is a power of two, equal
/// in all lanes.
template <class T, class Join>
__device__ __forceinline__ T join_neighbour_lanes(T total, int lanes, const Join& join) {
#pragma unroll
  for (int bit = 1; bit < warp_size; bit *= 2) {
    if (in_all_lanes(bit >= lanes)) break;
    total = join(total, detail::shuffle_xor(warp_tile<warp_size>{}, total, unsigned(bit)));
  }
  return total;
}

/// The exclusive prefix sum over the lanes of values from 0 to Most: bit by bit, because votes do not depend on each
/// other.
template <int Most>
__device__ __forceinline__ int sum_before_lane(int value) {
  const unsigned lanes_before = (1u << ptx::lane()) - 1;
  int sum = 0;
#pragma unroll
  for (int bit = 0; Most >> bit != 0; ++bit) {
    sum += __popc(ptx::ballot_bits(0xffffffffu, unsigned(value), 1u << bit) & lanes_before) << bit;
  }
  return sum;
}

/// Joins each lane's value with those of the lanes before it, back to the nearest whose bit is set in `begun`: a lane
/// where a segment or run begins.
template <int Lanes = warp_size, class T, class Op>
__device__ __forceinline__ T join_up_to_lane(T value, unsigned begun, const Op& op) {
  constexpr unsigned others = (0xffffffffu >> (warp_size - Lanes)) & ~1u;
  if ((begun & others) == others) return value;  // as in short runs
  return join_lanes_before<Lanes>(value, lanes_since(begun), op);
}

}  // namespace gpuprim::detail
