// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/detail/segment_tile.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::detail {

/// What a warp or a block holds of the segments that it shares with others.
template <class Acc>
struct share_edges {
  maybe<Acc> head, tail;
  bool has_end;
};

/// The segment that reaches into a block from the blocks before it.
struct inbound_segment {
  std::int64_t segment;
  int from;  ///< the block that it begins in
  bool ends_here;
};

/// One launch: every warp of the grid walks over an equal share of values and segments. Blocks are numbered as they start,
/// so that one may wait for those before it: it mails what it holds of its last segment, and the block in which that
/// segment ends joins the mail. Each mailbox that is filled is emptied.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize)
    segmented_kernel(In in, Segments segments, Out out, Op op, Acc init, grid_reduce_state<Acc> state) {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::segmented_reduce: the operator must take two values of the accumulator type and return one");
  constexpr int warps = BlockSize / warp_size;
  using scratch_type = segment_scratch<In, Acc>;
  GPUPRIM_SHARED(scratch, scratch_type[warps]);
  GPUPRIM_SHARED(edges, shared_array<share_edges<Acc>, warps>);
  GPUPRIM_SHARED(number, int);
  GPUPRIM_SHARED(inbound, inbound_segment);
  const this_block block;
  const monoid<Acc, Op, false> join{op};
  const int rank = int(block.thread_rank()), warp = rank / warp_size;
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();

  if (rank == 0) number = int(atomicInc(state.arrivals, gridDim.x - 1));
  const bounded_input<In> input{in, segments.first(), segments.last()};
  const std::int64_t items = input.last - input.first + segments.count, all_warps = std::int64_t(gridDim.x) * warps;
  std::int64_t share = (items + all_warps - 1) / all_warps;
  if (share < scratch_type::shape::values) share = scratch_type::shape::values;
  block.sync();
  const int own = number;

  const auto put = [&](std::int64_t segment, const maybe<Acc>& result) {
    out[segment] = result.present ? op(init, result.value) : init;
  };
  segment_walk<Acc> walk{};
  const std::int64_t item = input.first + (std::int64_t(own) * warps + warp) * share, end = input.last + segments.count;
  walk.end = item + share < end ? item + share : end;
  if (item < end) {
    walk.segment = segments.ended_before(item);
    walk.value = item - walk.segment;
    if (rank == 0) {
      const std::int64_t begin = segments.begin(walk.segment);
      const bool goes_in = begin < walk.value;
      inbound = {walk.segment, goes_in ? int((begin + walk.segment - input.first) / (share * warps)) : own, false};
    }
    const std::int64_t first_segment = walk.segment;
    while (walk.goes_on()) take_segment_tile(walk, input, segments, op, scratch[warp], put);
    walk.segment = first_segment;
  }
  if (rank % warp_size == 0) edges[warp] = {walk.head, walk.tail, walk.has_end};
  GPUPRIM_SHARED(first_segments, shared_array<std::int64_t, warps>);
  if (rank % warp_size == 0) first_segments[warp] = walk.segment;
  block.sync();

  if (rank == 0) {
    share_edges<Acc> all = edges[0];
    for (int i = 1; i < warps; ++i) {
      const share_edges<Acc> next = edges[i];
      if (!next.has_end) {
        all.tail = join(all.tail, next.tail);
        continue;
      }
      const maybe<Acc> ended = join(all.tail, next.head);
      if (all.has_end) put(first_segments[i], ended);
      else all.head = ended;
      all.has_end = true;
      all.tail = next.tail;
    }
    if (all.tail.present) state.mailboxes[own].send(all.tail.value);
    edges[0] = all;
    inbound.ends_here = item < end && all.has_end;
  }
  block.sync();
  if (!inbound.ends_here) return;
  const int count = own - inbound.from, run = (count + BlockSize - 1) / BlockSize;
  maybe<Acc> before;
  for (int k = 0; k < run; ++k) {
    const int i = rank * run + k;
    const Acc mail = state.mailboxes[inbound.from + i].receive(i < count);
    if (i < count) before = join(before, maybe<Acc>(mail));
  }
  if (count > 0) before = block_reduce<BlockSize>(block, before, join);
  if (rank == 0) put(inbound.segment, join(before, edges[0].head));
}

}  // namespace gpuprim::detail
