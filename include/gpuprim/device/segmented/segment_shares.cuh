// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/segmented/segment_tile.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/grid/join_mail.cuh>

namespace gpuprim::detail {

/// What a warp or a block holds of the segments that it shares with others.
template <class Acc>
struct share_edges {
  std::int64_t segment;  ///< the first
  maybe<Acc> head, tail;
  bool has_end;
};

/// Of the first segment of a block: the block that it begins in, and whether it ends in this one.
struct inbound_segment {
  int from;
  bool ends_here;
};

/// Warps walk over equal parts of a block's share, and what they share with each other is joined. Rank 0 gets the
/// edges.
template <int BlockSize, class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ share_edges<Acc> walk_by_warps(std::int64_t item, std::int64_t warp_share, std::int64_t end,
                                                          const bounded_input<In>& input, const Segments& segments,
                                                          const Op& op, const Put& put) {
  constexpr int warps = BlockSize / warp_size;
  using scratch_type = segment_scratch<In, Acc>[warps];
  GPUPRIM_SHARED(scratch, scratch_type);
  GPUPRIM_SHARED(edges, shared_array<share_edges<Acc>, warps>);
  const this_block block;
  const monoid<Acc, Op, false> join{op};
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

/// What thread `rank` of so many has of the values from `from` to `to`, of which their warps take units in turn. Loads
/// behind the units are made one after the other, or, where there are registers for that, at once.
template <int Threads, class Acc, int UnitLoads, bool EndAtOnce = false, class In, class Op, class Join>
__device__ __forceinline__ typename Join::value_type lane_part(int rank, const bounded_input<In>& input,
                                                              std::int64_t from, std::int64_t to, const Op& op,
                                                              const Join& join) {
  using shape = segment_tile_shape<In, Acc>;
  using T = typename shape::value_type;
  constexpr int items = shape::load_items, row = Threads * items, unit = warp_size * items * UnitLoads;
  auto total = join.empty();
  constexpr int most_line = Threads > warp_size ? warp_size : warp_size / 2;  // a thread has one value of an edge
  constexpr int line = shape::line_items < most_line ? shape::line_items : most_line;
  static_assert(line + items <= Threads || items == 1);
  std::int64_t body = input.template align<line>(from + line - 1), body_end = input.template align<items>(to);
  if (body > body_end) body = body_end = to;  // no whole load from a line on
  const int own_unit = rank / warp_size * unit;
  if constexpr (EndAtOnce) {
    std::int64_t at = body;
    for (; at + row * UnitLoads <= body_end; at += row * UnitLoads) {
      total = join(total, take_unit<Acc, UnitLoads>(input.in, at + own_unit, op));
    }
    at += rank * items;
    typename shape::packet loads[UnitLoads];
#pragma unroll
    for (int i = 0; i < UnitLoads; ++i) {
      if (at + i * row < body_end) loads[i] = detail::load_once<T>(input.in, at + i * row);
    }
#pragma unroll
    for (int i = 0; i < UnitLoads; ++i) {
      if (at + i * row < body_end) total = join(total, fold_load<Acc, T>(loads[i], op));
    }
  } else {
    const std::int64_t whole = body + (body_end - body) / unit * unit;
#pragma unroll(UnitLoads > 4 ? 1 : 2)  // more costs registers that the kernel by offsets does not have
    for (std::int64_t at = body + own_unit; at < whole; at += Threads / warp_size * unit) {
      total = join(total, take_unit<Acc, UnitLoads>(input.in, at, op));
    }
    for (std::int64_t at = whole + rank * items; at < body_end; at += row) {
      total = join(total, fold_load<Acc, T>(load_as_is<T>(input.in, at), op));
    }
  }
  if constexpr (items > 1) {
    auto head = join.empty(), tail = join.empty();  // on their way at once
    if (from + rank < body) head = static_cast<Acc>(input.in[from + rank]);
    if (body_end + rank < to) tail = static_cast<Acc>(input.in[body_end + rank]);
    total = join(join(total, head), tail);
  }
  return total;
}

/// A block reduces some neighbouring values. Rank 0 gets what comes of them.
template <int BlockSize, class Acc, int UnitLoads, bool EndAtOnce = false, class In, class Op, class Join>
__device__ __forceinline__ typename Join::value_type reduce_part(const bounded_input<In>& input, std::int64_t from,
                                                                std::int64_t to, const Op& op, const Join& join) {
  const this_block block;
  auto total = lane_part<BlockSize, Acc, UnitLoads, EndAtOnce>(int(block.thread_rank()), input, from, to, op, join);
  total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, join);
  return block_join_warps<BlockSize>(block, total, join, BlockSize / warp_size);
}

/// Items of a warp's share, where `warps` have one each; not less than what is in one tile wherever it begins: 6000
/// segments of 500 floats 8 us, with a whole tile, which then needs a second, 10.
template <class In, class Acc>
__device__ __forceinline__ std::int64_t warp_share(std::int64_t items, std::int64_t warps) {
  using shape = segment_tile_shape<In, Acc>;
  constexpr std::int64_t least = shape::values - shape::line_items;
  const std::int64_t share = (items + warps - 1) / warps;
  return share < least ? least : share;
}

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

/// A block reduces a share: `walk(begin, end)` gives its edges. The block mails what it holds of the last segment, and
/// the block in whose share that one ends joins the mail, so that it waits for shares before it only. Each mailbox that
/// is filled is emptied.
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
      const std::int64_t begun = item_number(segments.begin(edges.segment), edges.segment);
      const bool is_inbound = begun < share.begin && begun >= share.first_item;
      if (is_inbound) inbound.from = int((begun - share.first_item) / share.size);
    }
  }
  block.sync();
  if (!inbound.ends_here) return;
  const int count = share.number - inbound.from;
  const monoid<Acc, Op> mail_join{op};
  auto before = mail_join.empty();
  if (count > 0) before = join_mail<BlockSize, 1>(mailboxes + inbound.from, count, mail_join);
  if (rank > 0) return;
  maybe<Acc> all = edges.head;
  if (count > 0) all = monoid<Acc, Op, false>{op}(maybe<Acc>(mail_join.unwrap(before)), all);
  put(edges.segment, all.present, all.value);
}

}  // namespace gpuprim::detail
