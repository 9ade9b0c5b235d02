// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A warp walks over its share of consecutive segments, tile by tile.
#include <gpuprim/device/segmented/segments.cuh>
#include <gpuprim/device/segmented/tile_scratch.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// A warp's walk over a share of the items. It writes all segments that end in the share but the first, which may have
/// begun before: what the share has of that one is kept in `head` of lane 0, and what it has of the last, open one in
/// `tail`.
template <class Acc>
struct segment_walk {
  std::int64_t segment;   ///< the open one
  std::int64_t value;     ///< next to be read
  std::int64_t end;       ///< of the share: an item number
  std::int64_t next_end;  ///< the open segment is known not to end before
  int rows;               ///< of segments to look at in the next tile
  bool has_end;
  maybe<Acc> head, tail;

  __device__ bool goes_on() const { return item_number(value, segment) < end; }
};

/// Takes whole units of the open segment, as many as are known to lie in it and in the share.
template <class Acc, class In, class Op>
__device__ __forceinline__ void take_segment_units(segment_walk<Acc>& walk, const In& in, const Op& op) {
  constexpr int unit_loads = segment_tile_shape<In, Acc>::unit_loads, unit = segment_tile_shape<In, Acc>::unit_values;
  const std::int64_t share = walk.end - item_number(0, walk.segment);
  const std::int64_t stop = share > walk.next_end ? walk.next_end : share;
  if (unit > stop - walk.value) return;
  Acc total = detail::take_unit<Acc, unit_loads>(in, walk.value, op);
  for (walk.value += unit; stop - walk.value >= unit; walk.value += unit) {
    total = op(total, detail::take_unit<Acc, unit_loads>(in, walk.value, op));
  }
  if constexpr (is_commutative<Op, Acc>) total = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, total, op);
  walk.tail = maybe<Acc>(walk.tail.present ? op(walk.tail.value, total) : total);
}

/// Starts to load a tile's values, of which `count` are needed: rows behind them load those of the first row. Where
/// there are few ends, the values pass the L1 cache by, so that it keeps the ends of the next tiles.
template <class Acc, class In>
__device__ __forceinline__ void ask_for_values(
    const bounded_input<In>& input, std::int64_t base, std::int64_t count, int end_rows,
    typename segment_tile_shape<In, Acc>::packet (&loads)[segment_tile_shape<In, Acc>::loads]) {
  using shape = segment_tile_shape<In, Acc>;
  constexpr int row_items = warp_size * shape::load_items;
  const std::int64_t lane_base = base + int(ptx::lane()) * shape::load_items;
  if (!input.holds(base, base + shape::values)) {
    if (input.first >= input.last) return;
#pragma unroll
    for (int i = 0; i < shape::loads; ++i) {
      loads[i] = input.template load_clamped<typename shape::packet, shape::load_items>(lane_base + i * row_items);
    }
    return;
  }
  using T = typename shape::value_type;
  const auto row_at = [&](int i) { return lane_base + (i * row_items < count ? i * row_items : 0); };
  if (end_rows <= segmented_policy::past_l1_rows) {
#pragma unroll
    for (int i = 0; i < shape::loads; ++i) loads[i] = detail::load_once<T>(input.in, row_at(i));
  } else {
#pragma unroll
    for (int i = 0; i < shape::loads; ++i) loads[i] = detail::load_as_is<T>(input.in, row_at(i));
  }
}

/// What a tile has of a segment whose values from `begin` to before `end` lie in it.
template <class Acc, class In, class Op>
__device__ __forceinline__ maybe<Acc> find_piece(int begin, int end, bool whole, const Op& op,
                                                 segment_scratch<In, Acc>& scratch) {
  constexpr unsigned items = segment_tile_shape<In, Acc>::load_items;
  if (begin >= end) return {};
  const unsigned last = unsigned(end - 1), slot = last / items;
  if (whole) return maybe<Acc>(scratch.slot(slot));
  const Acc run = scratch.run(int(last));
  return maybe<Acc>(unsigned(begin) < slot * items ? op(scratch.slot(slot - 1), run) : run);
}

/// Takes one tile, of at most 32 * lane_items values and 32 * rows segments. Loads are coalesced and stay in registers:
/// a lane joins the values of each, and the totals go through shared memory to a segmented scan. Then each lane takes a
/// segment: its result is the running total at its last value, joined with what the scan has of its earlier loads.
template <class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ void take_segment_tile(segment_walk<Acc>& walk, const bounded_input<In>& input,
                                                  const Segments& segments, const Op& op,
                                                  segment_scratch<In, Acc>& scratch, const Put& put) {
  using shape = segment_tile_shape<In, Acc>;
  constexpr int distant = 0xffff;
  const warp_tile<warp_size> warp;
  const int lane = int(ptx::lane());
  const std::int64_t base = input.template align<shape::line_items>(walk.value);

  // The ends of the next segments, of which lane l has each 32nd, and the values are in flight at once.
  using offset_type = typename Segments::offset_type;
  const std::int64_t segments_left = segments.count - walk.segment;
  const int most = segments_left < walk.rows * warp_size ? int(segments_left) : walk.rows * warp_size;
  segments.ask_ends(walk.segment, most, &scratch.template offset<offset_type>(0));
  typename shape::packet loads[shape::loads];
  const std::int64_t items_left = walk.end - item_number(base, walk.segment);
  ask_for_values<Acc>(input, base, items_left, walk.rows, loads);
  scratch.heads[lane] = 0;
  warp.sync();
  // The segments that end in the tile: a run of `count`. Where it is all that were asked for, the tile ends with the
  // last.
  const int share = items_left < distant ? int(items_left) : distant;
  const int start = int(walk.value - base);
  if (lane == 0) {
    scratch.bounds[0] = std::uint16_t(start);
    scratch.mark(start);
  }
  int found = 0, inner = start;  // by this lane; bits that say that a segment begins within a load
  ptx::wait_for_copies();
#pragma unroll 4
  for (int t = lane; t < most; t += warp_size) {
    const auto asked = scratch.template offset<offset_type>(t);
    const int end = segments.distance(asked, walk.segment + t, base, distant);
    scratch.bounds[t + 1] = std::uint16_t(end);
    // The share has room for a segment's end only if it has for the values and ends before it.
    if (end < share - tile_end_items * t && end <= shape::values) {
      ++found;
      inner |= end;
      scratch.mark(end);
    }
  }
  const int count = gpuprim::warp_all_reduce(warp, found, plus<int>{});
  const bool starts_whole = !__any_sync(0xffffffffu, inner % shape::load_items != 0);
  warp.sync();
  const bool is_full = count == most;
  const int values_left = share - tile_end_items * count,
            room = values_left < shape::values ? values_left : shape::values;
  const int stop = is_full ? scratch.bounds[count] : room;  // before the last end if its items end the share
  walk.next_end = is_full ? walk.value : base + scratch.bounds[count + 1];
  const bool whole = starts_whole && stop % shape::load_items == 0;
  detail::run_over_slots(loads, whole, op, scratch);
  warp.sync();
  detail::scan_slots(op, scratch);
  warp.sync();

  const maybe_monoid<Acc, Op> join{op};
  const auto keep = [&](int t, const maybe<Acc>& piece) { put(walk.segment + t, piece.present, piece.value); };
  const bool is_first_apart = count > 0 && (walk.tail.present || !walk.has_end);
  if (count < warp_size) {  // a lane each, and lane `count` the open one
    maybe<Acc> piece;
    if (lane <= count) {
      piece =
          detail::find_piece(scratch.bounds[lane], lane < count ? scratch.bounds[lane + 1] : stop, whole, op, scratch);
    }
    const bool is_open = (__ballot_sync(0xffffffffu, piece.present) >> count & 1) != 0;
    const Acc last = detail::shuffle(warp, piece.value, count);
    const maybe<Acc> open = is_open ? maybe<Acc>(last) : maybe<Acc>{};
    if (lane == 0 && is_first_apart) piece = join(walk.tail, piece);
    if (lane == 0 && count > 0 && !walk.has_end) walk.head = piece;
    if (lane < count && (lane > 0 || walk.has_end)) keep(lane, piece);
    walk.tail = count > 0 ? open : join(walk.tail, open);
  } else {
    const maybe<Acc> open = detail::find_piece(scratch.bounds[count], stop, whole, op, scratch);
    if (is_first_apart) {
      const maybe<Acc> first = join(walk.tail, detail::find_piece(start, scratch.bounds[1], whole, op, scratch));
      if (!walk.has_end) walk.head = first;
      else if (lane == 0) keep(0, first);
    }
    walk.tail = open;
    const auto keep_pieces = [&](bool is_whole) {
#pragma unroll 1
      for (int t = is_first_apart && lane == 0 ? warp_size : lane; t < count; t += warp_size) {
        keep(t, detail::find_piece(scratch.bounds[t], scratch.bounds[t + 1], is_whole, op, scratch));
      }
    };
    if (whole) keep_pieces(true);
    else keep_pieces(false);
  }
  warp.sync();  // the scratch is free again
  walk.has_end |= count > 0;
  walk.segment += count;
  walk.value = base + stop;
  walk.rows = is_full ? shape::rows : count / warp_size + 1;
}

/// All of a share. The scratch is free again behind it.
template <class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ void take_share(segment_walk<Acc>& walk, const bounded_input<In>& input,
                                           const Segments& segments, const Op& op, segment_scratch<In, Acc>& scratch,
                                           const Put& put) {
  using shape = segment_tile_shape<In, Acc>;
  walk.next_end = walk.value;
  walk.rows = shape::rows;
  while (walk.goes_on() && segments.count > walk.segment) {  // offsets that decrease shall not keep it here
    if (input.template align<shape::line_items>(walk.value) == walk.value) take_segment_units(walk, input.in, op);
    if (walk.goes_on()) take_segment_tile(walk, input, segments, op, scratch, put);
  }
}

}  // namespace gpuprim::detail
