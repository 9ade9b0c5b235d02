// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/detail/reduce_kernel.cuh>
#include <gpuprim/device/detail/segments.cuh>
#include <gpuprim/policy/segmented_policy.hpp>

namespace gpuprim::detail {

/// How much of the input a warp takes at once.
template <class In, class Acc>
struct segment_tile_shape {
  using value_type = input_value<In>;
  /// What a load brings, as it goes through shared memory.
  using packet = std::conditional_t<std::is_pointer_v<In>, loaded<value_type>, uninitialized_array<value_type, 1>>;
  static constexpr int load_items = std::is_pointer_v<In> ? elements_per_load<value_type> : 1;
  static constexpr int value_bytes = int(sizeof(value_type) > sizeof(Acc) ? sizeof(value_type) : sizeof(Acc));
  /// At most 32 values a lane, as many as a word has bits. An odd number of loads: lanes that read 16 bytes at this
  /// distance from each other meet in no bank.
  static constexpr int most_items = segmented_policy::lane_bytes / value_bytes;
  static constexpr int most_loads = (most_items < warp_size ? most_items : warp_size) / load_items;
  static constexpr int lane_loads = most_loads < 1 ? 1 : (most_loads - 1) | 1;
  static constexpr int lane_items = load_items * lane_loads;
  static constexpr int values = warp_size * lane_items;
  static constexpr int rows = segmented_policy::rows, unit_loads = segmented_policy::unit_loads;
  static constexpr int unit_values = warp_size * load_items * unit_loads;
};

/// A warp's shared memory.
template <class In, class Acc>
struct segment_scratch {
  using shape = segment_tile_shape<In, Acc>;
  alignas(16) unsigned char bytes[shape::values * shape::value_bytes];  ///< the values, then the runs over them
  shared_array<Acc, warp_size> open;  ///< what a lane brings to the next
  unsigned heads[warp_size];          ///< bit k: a segment begins with the lane's value k
  int ends[warp_size * shape::rows + 1];  ///< of segments, counted from the tile's base
  shared_array<maybe<Acc>, 1> tail;       ///< of the segment that is left open

  __device__ typename shape::packet& packet(int i) { return reinterpret_cast<typename shape::packet*>(bytes)[i]; }
  __device__ Acc& running(int position) { return reinterpret_cast<Acc*>(bytes)[position]; }
  __device__ void mark(int position) {
    if (position < shape::values) atomicOr(&heads[position / shape::lane_items], 1u << position % shape::lane_items);
  }
};

/// Where the input lies between the first and the last value that may be read.
template <class In>
struct bounded_input {
  using value_type = input_value<In>;
  In in;
  std::int64_t first, last;

  /// The nearest place at or before `position` whose address is that of a wide load.
  template <int LoadItems>
  __device__ std::int64_t align(std::int64_t position) const {
    if constexpr (LoadItems == 1) return position;
    else return position - std::int64_t((reinterpret_cast<std::uintptr_t>(in) / sizeof(value_type) + position) % LoadItems);
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

/// A warp's walk over a share of the items. All segments that end in it are written, but the first, which may have begun
/// before it: what the share holds of that one is kept in `head` of lane 0, and what it holds of the last, open one in
/// `tail`.
template <class Acc>
struct segment_walk {
  std::int64_t segment;   ///< the open one
  std::int64_t value;     ///< next to be read
  std::int64_t end;       ///< of the share: an item number
  std::int64_t next_end;  ///< of the open segment, where it is known, or not after `value`
  int rows;               ///< of segments to look at in the next tile
  bool has_end;
  maybe<Acc> head, tail;

  __device__ bool goes_on() const { return segment + value < end; }
};

template <element T>
__device__ __forceinline__ T shuffle_up(const T& value, unsigned delta) {
  return shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(0xffffffffu, word, delta); });
}

/// One unit, joined: all loads are under way before the first is used. If the operator commutes, each lane gets its part,
/// otherwise each lane all of it.
template <class Acc, class In, class Op>
__device__ __forceinline__ Acc take_unit(const In& in, std::int64_t first, const Op& op) {
  using shape = segment_tile_shape<In, Acc>;
  using T = typename shape::value_type;
  typename shape::packet loads[shape::unit_loads];
  uninitialized_array<Acc, shape::unit_loads> rows;
#pragma unroll
  for (int row = 0; row < shape::unit_loads; ++row) {
    loads[row] = load_at<T>(in, first + (row * warp_size + int(ptx::lane())) * shape::load_items);
  }
#pragma unroll
  for (int row = 0; row < shape::unit_loads; ++row) rows[row] = fold_load<Acc, T>(loads[row], op);
  if constexpr (is_commutative<Op, Acc>) return thread_reduce(rows, op);
  else return warp_all_reduce_rows(rows, op);
}

/// Whole units of the open segment, as many as are known to lie in it and in the share.
template <class Acc, class In, class Op>
__device__ __forceinline__ void take_segment_units(segment_walk<Acc>& walk, const In& in, const Op& op) {
  constexpr int unit = segment_tile_shape<In, Acc>::unit_values;
  const std::int64_t share = walk.end - walk.segment, stop = walk.next_end < share ? walk.next_end : share;
  if (stop - walk.value < unit) return;
  Acc total = take_unit<Acc>(in, walk.value, op);
  for (walk.value += unit; stop - walk.value >= unit; walk.value += unit) {
    total = op(total, take_unit<Acc>(in, walk.value, op));
  }
  if constexpr (is_commutative<Op, Acc>) total = warp_all_reduce(warp_tile<warp_size>{}, total, op);
  walk.tail = maybe<Acc>(walk.tail.present ? op(walk.tail.value, total) : total);
}

/// Starts to copy a tile's values to shared memory.
template <class Acc, class In>
__device__ __forceinline__ void ask_for_values(const bounded_input<In>& input, std::int64_t base,
                                               segment_scratch<In, Acc>& scratch) {
  using shape = segment_tile_shape<In, Acc>;
  using packet = typename shape::packet;
  constexpr int row_items = warp_size * shape::load_items;
  const int lane = int(ptx::lane());
  const std::int64_t lane_base = base + lane * shape::load_items;
  if (input.holds(base, base + shape::values)) {
#pragma unroll
    for (int i = 0; i < shape::lane_loads; ++i) {
      packet& to = scratch.packet(i * warp_size + lane);
      if constexpr (std::is_same_v<packet, uint4>) ptx::copy_async(&to, input.in + (lane_base + i * row_items));
      else to = load_at<typename shape::value_type>(input.in, lane_base + i * row_items);
    }
  } else if (input.first < input.last) {
#pragma unroll
    for (int i = 0; i < shape::lane_loads; ++i) {
      scratch.packet(i * warp_size + lane) =
          input.template load_clamped<packet, shape::load_items>(lane_base + i * row_items);
    }
  }
}

/// One tile: at most 32 * lane_items values and 32 * rows segments. Loads are coalesced; through shared memory each lane
/// gets neighbouring values and runs over them once. Then each lane takes a segment, and finds its result where the run
/// left the segment: its values in earlier lanes, if it has any, are what those lanes bring.
template <class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ void take_segment_tile(segment_walk<Acc>& walk, const bounded_input<In>& input,
                                                  const Segments& segments, const Op& op,
                                                  segment_scratch<In, Acc>& scratch, const Put& put) {
  using shape = segment_tile_shape<In, Acc>;
  using T = typename shape::value_type;
  constexpr int distant = 1 << 30;
  const warp_tile<warp_size> warp;
  const int lane = int(ptx::lane());
  const std::int64_t base = input.template align<shape::load_items>(walk.value);

  // The ends of the next segments, of which lane l has each 32nd. They and the values are on their way at once.
  const std::int64_t segments_left = segments.count - walk.segment;
  const int most = segments_left < walk.rows * warp_size ? int(segments_left) : walk.rows * warp_size;
  decltype(segments.ask_end(0)) asked[shape::rows];
#pragma unroll
  for (int row = 0; row < shape::rows; ++row) {
    const int t = row * warp_size + lane;
    if (row * warp_size >= most) break;
    if (t < most) asked[row] = segments.ask_end(walk.segment + t);
  }
  ask_for_values(input, base, scratch);
  scratch.heads[lane] = 0;
  // The segments that end in the tile: a run of `count`. Where it is all that were asked for, the tile ends with the last.
  const std::int64_t items_left = walk.end - walk.segment - base;
  const int share = items_left < distant ? int(items_left) : distant;
  const int start = int(walk.value - base);
  int found = 0;  // by this lane
#pragma unroll
  for (int row = 0; row < shape::rows; ++row) {
    const int t = row * warp_size + lane;
    if (row * warp_size >= most) break;
    if (t < most) {
      const std::int64_t segment_end = segments.end(asked[row], walk.segment + t) - base;
      const int end = segment_end < distant ? int(segment_end) : distant;
      scratch.ends[t] = end;
      // The share has room for a segment's end only if it has for the values and ends before it.
      found += end < share - t && end <= shape::values;
    }
  }
  const int count = warp_all_reduce(warp, found, plus<int>{});
  warp.sync();
  const bool is_full = count == most;
  const int values_left = share - count, room = values_left < shape::values ? values_left : shape::values;
  const int stop = is_full ? scratch.ends[count - 1] : room;
  walk.next_end = is_full ? walk.value : base + scratch.ends[count];
  ptx::wait_for_copies();
  // The open segment is one more, that ends with the tile.
  const bool is_first = lane == 0, is_last = lane == warp_size - 1;
  if (is_first || is_last) scratch.mark(is_first ? start : stop);
#pragma unroll 1
  for (int t = lane; t < count; t += warp_size) scratch.mark(scratch.ends[t]);
  warp.sync();
  typename shape::packet loads[shape::lane_loads];
#pragma unroll
  for (int i = 0; i < shape::lane_loads; ++i) loads[i] = scratch.packet(lane * shape::lane_loads + i);
  uninitialized_array<T, shape::lane_items> items;
  std::memcpy(static_cast<void*>(&items), loads, sizeof items);
  warp.sync();  // from here on the bytes hold results

  const unsigned heads = scratch.heads[lane];
  uninitialized_array<Acc, shape::lane_items> run;
  run[0] = static_cast<Acc>(items[0]);
#pragma unroll
  for (int k = 1; k < shape::lane_items; ++k) {
    const Acc value = static_cast<Acc>(items[k]);
    run[k] = heads >> k & 1 ? value : op(run[k - 1], value);
  }
  if constexpr (sizeof run % load_bytes == 0) {
    constexpr int stores = sizeof run / load_bytes;
    uint4 packed[stores];
    std::memcpy(packed, &run, sizeof run);
#pragma unroll
    for (int i = 0; i < stores; ++i) reinterpret_cast<uint4*>(scratch.bytes)[lane * stores + i] = packed[i];
  } else {
#pragma unroll
    for (int k = 0; k < shape::lane_items; ++k) scratch.running(lane * shape::lane_items + k) = run[k];
  }
  // What a lane brings to the next: its last run, and that of the lanes before it back to one where a segment began.
  Acc open = run[shape::lane_items - 1];
  const unsigned begun = __ballot_sync(0xffffffffu, heads != 0) << (warp_size - 1 - lane);
  const int reach = begun ? __clz(int(begun)) : lane;
#pragma unroll
  for (int delta = 1; delta < warp_size; delta *= 2) {
    const Acc before = shuffle_up(open, unsigned(delta));
    if (delta <= reach) open = op(before, open);
  }
  scratch.open[lane] = open;
  warp.sync();

  const auto result_of = [&](int t) {
    maybe<Acc> result;
    const int begin = t > 0 ? scratch.ends[t - 1] : start, end = t < count ? scratch.ends[t] : stop;
    if (begin < end) {
      const int last = end - 1, owner = last / shape::lane_items;
      result = maybe<Acc>(scratch.running(last));
      if (begin < owner * shape::lane_items) result.value = op(scratch.open[owner - 1], result.value);
    }
    return result;
  };
#pragma unroll 1
  for (int t = is_first ? warp_size : lane; t < count; t += warp_size) {
    const maybe<Acc> result = result_of(t);
    put(walk.segment + t, result.present, result.value);
  }
  // The first segment may have begun before the tile, and the open one goes on behind it; they may be one.
  if (is_first || (is_last && count > 0)) {
    const int t = is_first ? 0 : count;
    maybe<Acc> result = result_of(t);
    if (is_first) result = monoid<Acc, Op, false>{op}(walk.tail, result);
    if (t == count) scratch.tail[0] = result;
    else if (walk.has_end) put(walk.segment, result.present, result.value);
    else walk.head = result;
  }
  warp.sync();
  walk.tail = scratch.tail[0];
  walk.has_end |= count > 0;
  walk.segment += count;
  walk.value = base + stop;
  walk.rows = is_full ? shape::rows : count / warp_size + 1;
  warp.sync();  // the scratch is free again
}

/// All of a share. The scratch is free again behind it.
template <class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ void take_share(segment_walk<Acc>& walk, const bounded_input<In>& input,
                                           const Segments& segments, const Op& op, segment_scratch<In, Acc>& scratch,
                                           const Put& put) {
  using shape = segment_tile_shape<In, Acc>;
  walk.next_end = walk.value;
  walk.rows = shape::rows;
  while (walk.goes_on()) {
    if (input.template align<shape::load_items>(walk.value) == walk.value) take_segment_units(walk, input.in, op);
    if (walk.goes_on()) take_segment_tile(walk, input, segments, op, scratch, put);
  }
}

}  // namespace gpuprim::detail
