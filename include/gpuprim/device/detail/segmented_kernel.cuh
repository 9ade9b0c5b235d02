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
  std::int64_t segment;  ///< the first
  maybe<Acc> head, tail;
  bool has_end;
};

/// The segment that reaches into a block from the blocks before it, and the block that it begins in.
struct inbound_segment {
  std::int64_t segment;
  int from;
  bool ends_here;
};

/// Block `own` of `blocks` reduces its share of the segments: each of its warps walks over an equal part of values and
/// segments. A block mails what it holds of its last segment, and the block in which that segment ends joins the mail, so
/// that it waits for blocks before it only. Each mailbox that is filled is emptied.
template <int BlockSize, class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ void reduce_shares(int own, int blocks, const bounded_input<In>& input,
                                              const Segments& segments, const Op& op, mailbox<Acc>* mailboxes,
                                              const Put& put) {
  constexpr int warps = BlockSize / warp_size;
  using scratch_type = segment_scratch<In, Acc>;
  GPUPRIM_SHARED(scratch, scratch_type[warps]);
  GPUPRIM_SHARED(edges, shared_array<share_edges<Acc>, warps>);
  GPUPRIM_SHARED(inbound, inbound_segment);
  const this_block block;
  const monoid<Acc, Op, false> join{op};
  const int rank = int(block.thread_rank()), warp = rank / warp_size;
  const std::int64_t all_warps = std::int64_t(blocks) * warps, end = input.last + segments.count;
  std::int64_t share = (end - input.first + all_warps - 1) / all_warps;
  if (share < scratch_type::shape::values) share = scratch_type::shape::values;

  segment_walk<Acc> walk{};
  std::int64_t first_segment = 0;
  const std::int64_t item = input.first + (std::int64_t(own) * warps + warp) * share;
  walk.end = item + share < end ? item + share : end;
  if (item < end) {
    walk.segment = first_segment = segments.ended_before(item);
    walk.value = item - walk.segment;
    if (rank == 0) {
      const std::int64_t begin = segments.begin(walk.segment);
      const bool goes_in = begin < walk.value;
      inbound.from = goes_in ? int((begin + walk.segment - input.first) / (share * warps)) : own;
    }
    take_share(walk, input, segments, op, scratch[warp], put);
  }
  if (rank % warp_size == 0) edges[warp] = {first_segment, walk.head, walk.tail, walk.has_end};
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
      if (all.has_end) put(next.segment, ended.present, ended.value);
      else all.head = ended;
      all.has_end = true;
      all.tail = next.tail;
    }
    if (all.tail.present) mailboxes[own].send(all.tail.value);
    edges[0] = all;
    inbound.ends_here = all.has_end;
  }
  block.sync();
  if (!inbound.ends_here) return;
  const int count = own - inbound.from, run = (count + BlockSize - 1) / BlockSize;
  const monoid<Acc, Op> mail_join{op};
  auto before = mail_join.empty();
  for (int k = 0; k < run; ++k) {
    const int i = rank * run + k;
    const Acc mail = mailboxes[inbound.from + i].receive(i < count);
    if (i < count) before = mail_join(before, mail);
  }
  if (count > 0) before = block_reduce<BlockSize>(block, before, mail_join);
  if (rank > 0) return;
  maybe<Acc> all = edges[0].head;
  if (count > 0) all = join(maybe<Acc>(mail_join.unwrap(before)), all);
  put(edges[0].segment, all.present, all.value);
}

/// How a segment's result is written: an empty one gives the initial value.
template <class Acc, class Out, class Op>
struct put_segment {
  Out out;
  Op op;
  Acc init;

  __device__ void operator()(std::int64_t segment, bool present, const Acc& result) const {
    out[segment] = present ? op(init, result) : init;
  }
};

template <class Acc, class Op>
__device__ constexpr void check_segmented_operator() {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::segmented_reduce: the operator must take two values of the accumulator type and return one");
}

/// Gives the blocks of a grid numbers in the order in which they start: one may wait for those before it.
template <class Acc>
__device__ __forceinline__ int number_block(const grid_reduce_state<Acc>& state) {
  GPUPRIM_SHARED(number, int);
  const this_block block;
  if (block.thread_rank() == 0) number = int(atomicInc(state.arrivals, gridDim.x - 1));
  block.sync();
  return number;
}

/// Segments that follow each other, in one launch.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segmented_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put, grid_reduce_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  const bounded_input<In> input{in, segments.first(), segments.last()};
  reduce_shares<BlockSize>(number_block(state), int(gridDim.x), input, segments, put.op, state.mailboxes, put);
}

}  // namespace gpuprim::detail
