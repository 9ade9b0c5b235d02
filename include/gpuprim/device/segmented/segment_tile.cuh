// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/segmented/segment_slots.cuh>
#include <gpuprim/device/segmented/segments.cuh>

namespace gpuprim::detail {

/// Where the input lies between the first and the last value that may be read.
template <class In>
struct bounded_input {
  using value_type = input_value<In>;
  In in;
  std::int64_t first, last;

  /// The nearest place at or before `position` whose address is a multiple of so many values.
  template <int Items>
  __device__ std::int64_t align(std::int64_t position) const {
    if constexpr (Items == 1) return position;
    else return position - std::int64_t((reinterpret_cast<std::uintptr_t>(in) / sizeof(value_type) + position) % Items);
  }
  /// Whether all of a range may be read.
  __device__ bool holds(std::int64_t from, std::int64_t to) const { return from >= first && to <= last; }

  /// One load of which not all may be read: the nearest value takes the place of those that may not.
  template <class Packet, int LoadItems>
  __device__ Packet load_clamped(std::int64_t position) const {
    uninitialized_array<value_type, LoadItems> items;
#pragma unroll
    for (int i = 0; i < LoadItems; ++i) {
      const std::int64_t at = position + i;
      items[i] = in[at < first ? first : at < last ? at : last - 1];
    }
    Packet packet;
    std::memcpy(static_cast<void*>(&packet), &items, sizeof packet);
    return packet;
  }
};

/// A warp's walk over a share of the items. All segments that end in it are written, but the first, which may have
/// begun before it: what the share holds of that one is kept in `head` of lane 0, and what it holds of the last, open
/// one in `tail`.
template <class Acc>
struct segment_walk {
  std::int64_t segment;   ///< the open one
  std::int64_t value;     ///< next to be read
  std::int64_t end;       ///< of the share: an item number
  std::int64_t next_end;  ///< the open segment is known not to end before
  int rows;               ///< of segments to look at in the next tile
  int held;               ///< results of segments before the open one that are held back
  bool has_end;
  maybe<Acc> head, tail;

  __device__ bool goes_on() const { return item_number(value, segment) < end; }
};

/// A load of values that are read once.
template <class T, class In>
__device__ __forceinline__ auto load_once(const In& in, std::int64_t at) {
  if constexpr (std::is_pointer_v<In> && load_bytes % sizeof(T) == 0) return ptx::load_past_l1(in + at);
  else return load_as_is<T>(in, at);
}

/// One unit, joined: all loads are under way before the first is used. If the operator commutes, each lane gets its
/// part, otherwise each lane all of it.
template <class Acc, int UnitLoads, class In, class Op>
__device__ __forceinline__ Acc take_unit(const In& in, std::int64_t first, const Op& op) {
  using shape = segment_tile_shape<In, Acc>;
  using T = typename shape::value_type;
  typename shape::packet loads[UnitLoads];
  uninitialized_array<Acc, UnitLoads> rows;
  const std::int64_t lane_first = first + int(ptx::lane()) * shape::load_items;
#pragma unroll
  for (int row = 0; row < UnitLoads; ++row) {
    loads[row] = detail::load_once<T>(in, lane_first + row * (warp_size * shape::load_items));
  }
#pragma unroll
  for (int row = 0; row < UnitLoads; ++row) rows[row] = fold_load<Acc, T>(loads[row], op);
  if constexpr (is_commutative<Op, Acc>) return gpuprim::thread_reduce(rows, op);
  else return gpuprim::warp_all_reduce_rows(rows, op);
}

/// Whole units of the open segment, as many as are known to lie in it and in the share.
template <class Acc, class In, class Op>
__device__ __forceinline__ void take_segment_units(segment_walk<Acc>& walk, const In& in, const Op& op) {
  constexpr int unit_loads = segment_tile_shape<In, Acc>::unit_loads, unit = segment_tile_shape<In, Acc>::unit_values;
  const std::int64_t share = walk.end - item_number(0, walk.segment);
  const std::int64_t stop = walk.next_end < share ? walk.next_end : share;
  if (stop - walk.value < unit) return;
  Acc total = take_unit<Acc, unit_loads>(in, walk.value, op);
  for (walk.value += unit; stop - walk.value >= unit; walk.value += unit) {
    total = op(total, take_unit<Acc, unit_loads>(in, walk.value, op));
  }
  if constexpr (is_commutative<Op, Acc>) total = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, total, op);
  walk.tail = maybe<Acc>(walk.tail.present ? op(walk.tail.value, total) : total);
}

/// Asks for a tile's values, of which only `count` are needed: rows behind them get those of the first. Past the L1
/// cache, if that shall keep the ends of the next tiles.
template <class Acc, class In>
__device__ __forceinline__ void ask_for_values(
    const bounded_input<In>& input, std::int64_t base, std::int64_t count, bool past_l1,
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
  if (past_l1) {
#pragma unroll
    for (int i = 0; i < shape::loads; ++i) loads[i] = detail::load_once<T>(input.in, row_at(i));
  } else {
#pragma unroll
    for (int i = 0; i < shape::loads; ++i) loads[i] = load_as_is<T>(input.in, row_at(i));
  }
}

/// What a tile has of a segment, of which the part from `begin` to `end` lies in it.
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

/// True where a result is finished and written apart, so that it may be held back between the two.
template <class Put>
inline constexpr bool holds_results = requires { &Put::finish; };

/// Writes results that are held back, or those of whole lines only; less than a line then stays.
template <class Acc, class In, class Put>
__device__ __forceinline__ void write_held(segment_walk<Acc>& walk, bool whole_lines, segment_scratch<In, Acc>& scratch,
                                           const Put& put) {
  const std::int64_t first = walk.segment - walk.held;
  const int stays = whole_lines ? int(unsigned(walk.segment) % warp_size) : 0;
  if constexpr (holds_results<Put>) {
    if (walk.held <= stays) return;
    const std::int64_t line = first - unsigned(first) % warp_size;
    for (std::int64_t i = line + int(ptx::lane()); i < walk.segment - stays; i += warp_size) {
      if (i >= first) put.write(i, scratch.result(i));
    }
    walk.held = stays;
  }
}

/// One tile: at most 32 * lane_items values and 32 * rows segments. Loads are coalesced and stay in registers: a lane
/// runs over the values of each, and only what each load brings goes through shared memory, to a segmented scan. Then
/// each lane takes a segment, and finds its result where the run left the segment: its values in earlier loads, if it
/// has any, are what the scan brings. Fewer than 32 segments are found at once, together with the open one.
template <class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ void take_segment_tile(segment_walk<Acc>& walk, const bounded_input<In>& input,
                                                  const Segments& segments, const Op& op,
                                                  segment_scratch<In, Acc>& scratch, const Put& put) {
  using shape = segment_tile_shape<In, Acc>;
  constexpr int distant = 0xffff;
  const warp_tile<warp_size> warp;
  const int lane = int(ptx::lane());
  const std::int64_t base = input.template align<shape::line_items>(walk.value);

  // The ends of the next segments, of which lane l has each 32nd. They and the values are on their way at once.
  using offset_type = typename Segments::offset_type;
  const std::int64_t segments_left = segments.count - walk.segment;
  const int most = segments_left < walk.rows * warp_size ? int(segments_left) : walk.rows * warp_size;
  segments.ask_ends(walk.segment, most, &scratch.template offset<offset_type>(0));
  typename shape::packet loads[shape::loads];
  const std::int64_t items_left = walk.end - item_number(base, walk.segment);
  ask_for_values<Acc>(input, base, items_left, walk.rows <= segmented_policy::past_l1_rows, loads);
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
    if (end < share - end_items * t && end <= shape::values) {
      ++found;
      inner |= end;
      scratch.mark(end);
    }
  }
  const int count = gpuprim::warp_all_reduce(warp, found, plus<int>{});
  const bool starts_whole = !__any_sync(0xffffffffu, inner % shape::load_items != 0);
  warp.sync();
  const bool is_full = count == most;
  const int values_left = share - end_items * count, room = values_left < shape::values ? values_left : shape::values;
  const int stop = is_full ? scratch.bounds[count] : room;  // before the last end if its items end the share
  walk.next_end = is_full ? walk.value : base + scratch.bounds[count + 1];
  const bool whole = starts_whole && stop % shape::load_items == 0;
  const bool holds = holds_results<Put> && count <= shape::held / 2;
  if (walk.held > 0 && !(holds && walk.held + count <= shape::held)) write_held(walk, holds, scratch, put);
  detail::run_over_slots(loads, whole, op, scratch);
  warp.sync();
  scan_slots(op, scratch);
  warp.sync();

  const monoid<Acc, Op, false> join{op};
  const auto keep = [&](int t, const maybe<Acc>& piece) {
    const std::int64_t segment = walk.segment + t;
    if constexpr (holds_results<Put>) {
      const Acc result = put.finish(piece.present, piece.value);
      if (holds) scratch.result(segment) = result;
      else put.write(segment, result);
    } else {
      put(segment, piece.present, piece.value);
    }
  };
  const bool is_first_apart = count > 0 && (walk.tail.present || !walk.has_end);
  if (count < warp_size) {  // a lane each, and lane `count` the open one
    maybe<Acc> piece;
    if (lane <= count) {
      piece = detail::find_piece(scratch.bounds[lane], lane < count ? scratch.bounds[lane + 1] : stop, whole, op,
                                 scratch);
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
  if (holds) walk.held += walk.has_end || count == 0 ? count : count - 1;
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
  while (walk.goes_on() && walk.segment < segments.count) {  // offsets that decrease shall not keep it here
    if (input.template align<shape::line_items>(walk.value) == walk.value) take_segment_units(walk, input.in, op);
    if (walk.goes_on()) take_segment_tile(walk, input, segments, op, scratch, put);
  }
  write_held(walk, false, scratch, put);
}

}  // namespace gpuprim::detail
