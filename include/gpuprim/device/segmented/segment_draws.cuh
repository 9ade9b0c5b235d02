// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_shares.cuh>

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

/// What blocks draw from: a block's first number, and the one that follows one of its own, or one that is not below
/// `count`.
struct plain_draws {
  unsigned* counter;
  __device__ unsigned first() const { return blockIdx.x; }
  __device__ unsigned next(unsigned, unsigned count) const { return draw(count, counter); }
};

/// The same where they draw often, in a zeroed buffer that is zero again in the end. Each block takes the number of its
/// index first, then some of every eighth, which it shares with every eighth block, and of the last ones what no block
/// has. A counter takes a nanosecond or more for each that asks, and meanwhile the part of the L2 cache that has it
/// brings no values: 2^16 segments of 4096 floats, with four counters 239.2 us, with eight 237.0, with 16 238.
struct spread_draws {
  static constexpr unsigned ways = 8, apart = 256 / sizeof(unsigned);  // lines of their own
  static constexpr std::int64_t bytes = (ways + 1) * apart * sizeof(unsigned);
  unsigned* counters;
  unsigned shift = 0;  ///< 2 to the power of it is how many neighbours are drawn at once

  __device__ unsigned first() const { return blockIdx.x << shift; }
  __device__ unsigned next(unsigned previous, unsigned count) const {
    const unsigned last = (1u << shift) - 1;
    if ((previous & last) < last && previous + 1 < count) return previous + 1;
    return draw_neighbours(previous >> shift, ((count - 1) >> shift) + 1) << shift;
  }
  __device__ unsigned draw_neighbours(unsigned previous, unsigned count) const {
    const unsigned blocks = gridDim.x;
    if (count <= blocks) return count;
    const bool is_spread = blocks >= ways && count > 16 * blocks;
    const unsigned spread = is_spread ? (count - 4 * blocks) / ways : 0;  // numbers of each way
    if (previous < spread * ways) {
      const unsigned way = blockIdx.x % ways, begun = (blocks - way + ways - 1) / ways;
      const unsigned own = begun + atomicInc(counters + (1 + way) * apart, spread - 1);
      if (own < spread) return own * ways + way;
    }
    const unsigned first = spread > 0 ? spread * ways : blocks;
    return first + atomicInc(counters, count - first + blocks - 1);
  }
};

/// A segment that is taken whole; behind the last, one of nothing.
struct whole_segment {
  std::int64_t begin, end;
  unsigned number;

  template <class Segments>
  __device__ static whole_segment find(const Segments& segments, unsigned i) {
    if (i >= segments.count) return {0, 0, i};
    const std::int64_t begin = segments.begin(i), end = segments.end(i);
    return {begin, end < begin ? begin : end, i};
  }
  __device__ std::int64_t length() const { return end - begin; }
};

/// Takes any segment.
struct take_any {
  __device__ bool operator()(const whole_segment&) const { return true; }
};

/// Blocks take whole segments, but for those that `takes` refuses, which all threads of a block ask: the first in turn,
/// the others drawn, since not all multiprocessors are equally fast. A block draws when it has read one: what is drawn
/// ahead is read late, and memory no longer in order. The last warp does, for the first one has edges to wait for. One
/// warp joins the parts of all, another one each time, while the others read on.
template <int BlockSize, int UnitLoads, bool EndAtOnce, class Acc, class In, class Segments, class Put, class Draws,
          class Takes = take_any>
__device__ __forceinline__ void take_whole(const bounded_input<In>& input, const Segments& segments, const Put& put,
                                           const Draws& draws, const Takes& takes = {}) {
  const monoid<Acc, std::remove_cv_t<decltype(put.op)>> join{put.op};
  constexpr int warps = BlockSize / warp_size;
  using parts_type = shared_array<typename decltype(join)::value_type, 2 * warps>;
  GPUPRIM_SHARED(next, shared_array<whole_segment, 2>);
  GPUPRIM_SHARED(parts, parts_type);
  const this_block block;
  const warp_tile<warp_size> warp;
  const int rank = int(block.thread_rank());
  const unsigned count = unsigned(segments.count);
  auto own = whole_segment::find(segments, draws.first());
  int joiner = 0;
  for (int odd = 0; in_all_lanes(own.number < count); odd ^= 1) {
    const bool is_taken = takes(own);
    if (!is_taken) own.end = own.begin;
    auto total = lane_part<BlockSize, Acc, UnitLoads, EndAtOnce>(rank, input, own.begin, own.end, put.op, join);
    if (rank == BlockSize - warp_size) next[odd] = whole_segment::find(segments, draws.next(own.number, count));
    total = gpuprim::warp_reduce(warp, total, join);
    if (rank % warp_size == 0) parts[odd * warps + rank / warp_size] = total;
    block.sync();
    if (rank == joiner * warp_size && is_taken) {
      total = parts[odd * warps];
#pragma unroll
      for (int i = 1; i < warps; ++i) total = join(total, parts[odd * warps + i]);
      put(own.number, own.begin < own.end, join.unwrap(total));
    }
    joiner = (joiner + 1) % warps;
    own = next[odd];
  }
}

}  // namespace gpuprim::detail
