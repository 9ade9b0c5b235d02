// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/segment_shares.cuh>

namespace gpuprim::detail {

/// Gives the blocks of a grid numbers in the order in which they start: one may wait for those before it.
template <class Acc>
__device__ __forceinline__ int number_block(const grid_reduce_state<Acc>& state) {
  GPUPRIM_SHARED(number, int);
  const this_block block;
  if (block.thread_rank() == 0) number = int(atomicInc(state.arrivals, gridDim.x - 1));
  block.sync();
  return number;
}

/// One of the first `count` numbers that no block of the grid has taken, if there is one left: each takes that of its
/// index first. The counter is 0 again in the end.
template <class Number>
__device__ __forceinline__ Number draw(Number count, unsigned* drawn) {
  const Number blocks = Number(gridDim.x);
  return blocks < count ? blocks + Number(atomicInc(drawn, unsigned(count - 1))) : count;
}

/// A segment that is taken whole; behind the last, one of nothing.
struct whole_segment {
  std::int64_t number, begin, end;

  template <class Segments>
  __device__ static whole_segment find(const Segments& segments, std::int64_t i) {
    if (i >= segments.count) return {i, 0, 0};
    return {i, segments.begin(i), segments.end(i)};
  }
  __device__ std::int64_t length() const { return end - begin; }
};

/// Blocks take whole segments, but those of up to `short_values` values: the first in turn, the others drawn, since not
/// all multiprocessors are equally fast. A block draws when it has read one: what is drawn ahead is read late, and
/// memory no longer in order.
template <int BlockSize, int UnitLoads, class Acc, class In, class Segments, class Put>
__device__ __forceinline__ void take_whole(const bounded_input<In>& input, const Segments& segments, const Put& put,
                                           unsigned* drawn, std::int64_t short_values = -1) {
  GPUPRIM_SHARED(next, shared_array<whole_segment, 2>);
  const this_block block;
  const monoid<Acc, std::remove_cv_t<decltype(put.op)>> join{put.op};
  const int rank = int(block.thread_rank());
  const std::int64_t count = segments.count;
  const auto is_short = [=](const whole_segment& one) { return short_values >= 0 && one.length() <= short_values; };
  const auto draw_long = [&] {
    for (;;) {
      const auto one = whole_segment::find(segments, draw(count, drawn));
      if (one.number >= count || !is_short(one)) return one;
    }
  };
  auto own = whole_segment::find(segments, blockIdx.x);
  if (is_short(own)) own.end = own.begin;
  for (int odd = 0; own.number < count; own = next[odd], odd ^= 1) {
    auto total = lane_part<BlockSize, Acc, UnitLoads>(rank, input, own.begin, own.end, put.op, join);
    if (rank == 0) next[odd] = draw_long();
    total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, join);
    total = block_join_warps<BlockSize>(block, total, join, BlockSize / warp_size);
    if constexpr (BlockSize == warp_size) block.sync();  // more warps have met there
    if (rank == 0 && !is_short(own)) put(own.number, own.begin < own.end, join.unwrap(total));
  }
}

/// The same where segments are shorter: blocks draw as many as they have warps, which take one each, for a counter has
/// its limits too: 65536 draws of 4096 values take 264 us, 16384 for four warps 239. What is too long for a warp, all
/// take together.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_whole_by_warps(const bounded_input<In>& input, const Segments& segments,
                                                    const put_segment<Acc, Out, Op>& put, unsigned* drawn) {
  using policy = segmented_policy;
  constexpr int warps = BlockSize / warp_size;
  GPUPRIM_SHARED(next, shared_array<unsigned, 2>);
  const this_block block;
  const warp_tile<warp_size> warp;
  const monoid<Acc, Op> join{put.op};
  const int rank = int(block.thread_rank()), lane = rank % warp_size;
  const int in_block = detail::shuffle(warp, rank / warp_size, 0);
  const std::int64_t count = segments.count;
  // In 32 bits: else there are registers for 7 of 8 loads with 64-bit offsets, and 8192 values take 251 us, not 237.
  const unsigned groups = unsigned((count - 1) / warps + 1);
  unsigned group = blockIdx.x;
  for (int odd = 0; in_all_lanes(group < groups); group = next[odd], odd ^= 1) {
    const std::int64_t first = std::int64_t(group) * warps, own = first + in_block;
    bool is_long = false;
    if (in_all_lanes(own < count)) {
      const std::int64_t begin = segments.begin(own), end = segments.end(own);
      is_long = in_all_lanes(end - begin > policy::most_warp_values);
      if (!is_long) {
        auto total = lane_part<warp_size, Acc, policy::uneven_unit_loads>(lane, input, begin, end, put.op, join);
        total = gpuprim::warp_reduce(warp, total, join);
        if (lane == 0) put(own, begin < end, join.unwrap(total));
      }
    }
    if (rank == 0) next[odd] = draw(groups, drawn);
    if (!block.any(is_long)) continue;
#pragma unroll 1
    for (std::int64_t i = first; i < first + warps && i < count; ++i) {
      const std::int64_t begin = segments.begin(i), end = segments.end(i);
      if (end - begin <= policy::most_warp_values) continue;
      const auto total = reduce_part<BlockSize, Acc, policy::uneven_unit_loads>(input, begin, end, put.op, join);
      if (rank == 0) put(i, true, join.unwrap(total));
    }
  }
}

}  // namespace gpuprim::detail
