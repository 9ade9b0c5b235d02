// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Consecutive segments in equal shares of values and ends, whatever their lengths.
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/segmented/segment_loads.cuh>
#include <gpuprim/device/segmented/tiles.cuh>
#include <gpuprim/grid/grid_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What a warp or a block has of the segments that it shares with others.
template <class Acc>
struct share_edges {
  std::int64_t segment;  ///< the first
  maybe<Acc> head, tail;
  bool has_end;
};

/// The block that a block's first segment begins in, and whether it ends in this one.
struct inbound_segment {
  int from;
  bool ends_here;
};

/// Warps walk over equal parts of a block's share, and join what they share with each other. Rank 0 gets the edges.
template <int BlockSize, class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ share_edges<Acc> walk_by_warps(std::int64_t item, std::int64_t warp_share, std::int64_t end,
                                                          const bounded_input<In>& input, const Segments& segments,
                                                          const Op& op, const Put& put) {
  constexpr int warps = BlockSize / warp_size;
  using scratch_type = segment_scratch<In, Acc>[warps];
  GPUPRIM_SHARED(scratch, scratch_type);
  GPUPRIM_SHARED(edges, shared_array<share_edges<Acc>, warps>);
  const this_block block;
  const maybe_monoid<Acc, Op> join{op};
  const int rank = int(block.thread_rank()), warp = rank / warp_size;
  segment_walk<Acc> walk{};
  item += warp * warp_share;
  walk.end = item + warp_share < end ? item + warp_share : end;
  std::int64_t first = 0;
  if (item < end) {
    const item_place place = segments.find(item);
    walk.segment = first = place.segment;
    walk.value = place.value;
    detail::take_share(walk, input, segments, op, scratch[warp], put);
  }
  if (rank % warp_size == 0) edges[warp] = {first, walk.head, walk.tail, walk.has_end};
  block.sync();
  share_edges<Acc> all = edges[0];
  if (rank > 0) return all;
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
  return all;
}

/// The whole block takes the segments of its share one after the other, where the operator commutes: its warps read
/// side by side. Rank 0 gets the edges.
template <int BlockSize, class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ share_edges<Acc> walk_by_block(std::int64_t item, std::int64_t end,
                                                          const bounded_input<In>& input, const Segments& segments,
                                                          const Op& op, const Put& put) {
  const monoid<Acc, Op> join{op};
  const int rank = int(this_block::thread_rank());
  share_edges<Acc> all{};
  if (item >= end) return all;
  auto [segment, value] = segments.find(item);
  all.segment = segment;
  while (item_number<Segments::end_items>(value, segment) < end && segment < segments.count) {
    const std::int64_t segment_end = segments.end(segment), room = end - item_number<Segments::end_items>(0, segment);
    const bool ends_here = segment_end < room;
    const std::int64_t stop = ends_here ? segment_end : room;
    if (value < stop) {
      const auto total = detail::reduce_by_block<BlockSize, Acc>(input, value, stop, join);
      if (rank == 0) all.tail = maybe<Acc>(join.unwrap(total));
    }
    if (ends_here) {
      if (!all.has_end) all.head = all.tail;
      else if (rank == 0) put(segment, all.tail.present, all.tail.value);
      all.has_end = true;
      all.tail = {};
      ++segment;
    }
    value = stop;
  }
  return all;
}

/// Items of a warp's share, where `warps` have one each: at least what one tile has wherever it begins, for a whole
/// tile of items would need a second one.
template <class In, class Acc>
__device__ __forceinline__ std::int64_t warp_share(std::int64_t items, std::int64_t warps) {
  using shape = segment_tile_shape<In, Acc>;
  constexpr std::int64_t least = shape::values - shape::line_items;
  const std::int64_t share = (items + warps - 1) / warps;
  return share < least ? least : share;
}

/// How a block walks over its share: each of its warps over a part of it, or all together, for which no segment must be
/// short.
enum class share_walk { by_warps, by_block };

/// One of the equal shares that items are cut into.
struct item_share {
  int number;
  std::int64_t size, first_item;  ///< of each share; of share 0
  std::int64_t begin, end;

  __device__ static item_share make(int own, std::int64_t items, std::int64_t first, std::int64_t last) {
    const std::int64_t begin = first + own * items, end = begin + items;
    return {own, items, first, begin, end < last ? end : last};
  }
};

/// A block reduces a share, of which `walk(begin, end)` gives the edges. It mails what it has of its last segment, and
/// the block in whose share that one ends joins the mail. So a block waits only for shares before its own, and each
/// mailbox that is filled is emptied.
template <int BlockSize, class Acc, class Segments, class Op, class Put, class Walk>
__device__ __forceinline__ void reduce_share(const item_share& share, const Segments& segments, const Op& op,
                                             mailbox<Acc>* mailboxes, const Put& put, const Walk& walk) {
  GPUPRIM_SHARED(inbound, inbound_segment);
  const this_block block;
  const int rank = int(block.thread_rank());
  const share_edges<Acc> edges = walk(share.begin, share.end);
  if (rank == 0) {
    if (edges.tail.present) mailboxes[share.number].send(edges.tail.value);
    inbound = {share.number, edges.has_end};
    if (edges.has_end) {
      const std::int64_t begun = item_number<Segments::end_items>(segments.begin(edges.segment), edges.segment);
      const bool is_inbound = begun < share.begin && begun >= share.first_item;
      if (is_inbound) inbound.from = int((begun - share.first_item) / share.size);
    }
  }
  block.sync();
  if (!inbound.ends_here) return;
  const int count = share.number - inbound.from;
  const monoid<Acc, Op> mail_join{op};
  auto before = mail_join.empty();
  if (count > 0) before = detail::join_mail<BlockSize, 4>(mailboxes + inbound.from, count, mail_join);
  if (rank > 0) return;
  maybe<Acc> all = edges.head;
  if (count > 0) all = maybe_monoid<Acc, Op>{op}(maybe<Acc>(mail_join.unwrap(before)), all);
  put(edges.segment, all.present, all.value);
}

}  // namespace gpuprim::detail
