// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Blocks draw whole segments, where the operator commutes.
#include <gpuprim/device/input/block_loads.cuh>
#include <gpuprim/device/segmented/segments.cuh>
#include <gpuprim/grid/draws.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Segments that a block draws at once: as many as are long enough together, where there are many.
template <class In>
__device__ __forceinline__ unsigned count_draw(unsigned count, int average, unsigned blocks) {
  constexpr unsigned draw = segmented_policy::draw_bytes / sizeof(input_value<In>);
  const unsigned batch = unsigned(average) < draw ? (draw + unsigned(average) / 2) / unsigned(average) : 1;
  return count > 16 * batch * blocks ? batch : 1;
}

/// A segment that a block takes; behind the last one, a segment of nothing.
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

/// The first `blocks` blocks take whole segments, `batch` neighbours a draw, and first `own`, which has the number of
/// the block, but for those that `leaves_out` names, which all threads of a block ask. The last warp draws while the
/// others still read, for the first one has edges to wait for; and one warp joins the parts of all, another one each
/// time, while the others read on.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op, class LeavesOut>
__device__ __forceinline__ void take_whole_segments(whole_segment own, const bounded_input<In>& input,
                                                    const Segments& segments, unsigned batch, unsigned blocks,
                                                    unsigned* drawn, const put_segment<Acc, Out, Op>& put,
                                                    const LeavesOut& leaves_out) {
  constexpr int warps = BlockSize / warp_size;
  const monoid<Acc, Op> join{put.op};
  using parts_type = shared_array<typename monoid<Acc, Op>::value_type, 2 * warps>;
  GPUPRIM_SHARED(next, shared_array<whole_segment, 2>);
  GPUPRIM_SHARED(parts, parts_type);
  const this_block block;
  const warp_tile<warp_size> warp;
  const int rank = int(block.thread_rank());
  const unsigned count = unsigned(segments.count);
  if (in_all_lanes(batch > 1)) own = whole_segment::find(segments, blockIdx.x * batch);
  int joiner = 0;
  for (int turn = 0; in_all_lanes(count > own.number); turn ^= 1) {
    const bool is_left_out = leaves_out(own);
    if (is_left_out) own.end = own.begin;
    auto total = detail::read_by_block<BlockSize, Acc>(input, own.begin, own.end, join);
    if (rank == BlockSize - warp_size) {
      const bool is_last = (own.number + 1) % batch == 0 || own.number + 1 == count;
      next[turn] = whole_segment::find(segments, is_last ? draw(count, batch, blocks, drawn) : own.number + 1);
    }
    total = gpuprim::warp_reduce(warp, total, join);
    if (rank % warp_size == 0) parts[turn * warps + rank / warp_size] = total;
    block.sync();
    if (rank == joiner * warp_size && !is_left_out) {
      total = parts[turn * warps];
#pragma unroll
      for (int i = 1; i < warps; ++i) total = join(total, parts[turn * warps + i]);
      put(own.number, own.end > own.begin, join.unwrap(total));
    }
    joiner = (joiner + 1) % warps;
    own = next[turn];
  }
}

}  // namespace gpuprim::detail
