// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/detail/reduce_kernel.cuh>
#include <gpuprim/device/detail/segments.cuh>
#include <gpuprim/thread/load.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::detail {

/// How much of the input a warp takes at once.
template <class In, class Acc>
struct segment_tile_shape {
  using value_type = input_value<In>;
  static constexpr int value_bytes = int(sizeof(value_type) > sizeof(Acc) ? sizeof(value_type) : sizeof(Acc));
  static constexpr int load_items = std::is_pointer_v<In> ? elements_per_load<value_type> : 1;
  /// What a load brings, as it goes through shared memory.
  using packet = decltype(load_at<value_type>(std::declval<In>(), 0));
  /// An odd number of loads: lanes that read 16 bytes at this distance from each other meet in no bank. At most 32
  /// values a lane, as many as a word has bits.
  static constexpr int lane_loads = load_items > 8 || value_bytes > 64 ? 1 : load_items > 4 ? 3 : 5;
  static constexpr int lane_items = load_items * lane_loads;
  static constexpr int values = warp_size * lane_items;
  /// Rows of 32 segments: as many as there are in a tile of segments of 4 values.
  static constexpr int rows = 5;
};

/// A warp's shared memory.
template <class In, class Acc>
struct segment_scratch {
  using shape = segment_tile_shape<In, Acc>;
  alignas(16) unsigned char bytes[shape::values * shape::value_bytes];  ///< the values, then the running results
  shared_array<Acc, warp_size> open;  ///< what lanes bring from the lanes before them
  unsigned heads[warp_size];          ///< bit k: a segment begins with the lane's value k

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

template <element T>
__device__ __forceinline__ T shuffle_up(const T& value, unsigned delta) {
  return shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(0xffffffffu, word, delta); });
}

/// A warp's walk over a share of the items. All segments that end in it are written, but the first, which may have begun
/// before it: what the share holds of that one is kept in `head`, and what it holds of the last, open one in `tail`.
template <class Acc>
struct segment_walk {
  std::int64_t segment;  ///< the open one
  std::int64_t value;    ///< next to be read
  std::int64_t end;      ///< of the share: an item number
  maybe<Acc> head, tail;
  bool has_end = false;

  __device__ bool goes_on() const { return segment + value < end; }
};

/// One tile: at most 32 * lane_items values and 32 * rows segments. Loads are coalesced; through shared memory each lane
/// gets neighbouring values and runs over them once. Then each lane takes a segment, and finds its result where the run
/// left the segment: its values in earlier lanes, if it has any, are what those lanes bring.
template <class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ void take_segment_tile(segment_walk<Acc>& walk, const bounded_input<In>& input,
                                                  const Segments& segments, const Op& op,
                                                  segment_scratch<In, Acc>& scratch, const Put& put) {
  using shape = segment_tile_shape<In, Acc>;
  using T = typename shape::value_type;
  const warp_tile<warp_size> warp;
  const monoid<Acc, Op, false> join{op};
  const int lane = int(ptx::lane());
  const std::int64_t base = input.template align<shape::load_items>(walk.value);

  // The segments that may end in this tile; lane l has each 32nd. Asked for before the values, so that both are on their
  // way at once.
  constexpr std::int64_t beyond = std::int64_t{1} << 62;
  std::int64_t all_ends[shape::rows];
#pragma unroll
  for (int row = 0; row < shape::rows; ++row) {
    const std::int64_t i = walk.segment + row * warp_size + lane;
    all_ends[row] = i < segments.count ? segments.end(i) : beyond;
  }
  typename shape::packet loads[shape::lane_loads];
  const std::int64_t lane_base = base + lane * shape::load_items;
  constexpr int row_items = warp_size * shape::load_items;
  if (input.holds(base, base + shape::values)) {
#pragma unroll
    for (int i = 0; i < shape::lane_loads; ++i) loads[i] = load_at<T>(input.in, lane_base + i * row_items);
#pragma unroll
    for (int i = 0; i < shape::lane_loads; ++i) scratch.packet(i * warp_size + lane) = loads[i];
  } else if (input.first < input.last) {
#pragma unroll
    for (int i = 0; i < shape::lane_loads; ++i) {
      scratch.packet(i * warp_size + lane) =
          input.template load_clamped<typename shape::packet, shape::load_items>(lane_base + i * row_items);
    }
  }
  scratch.heads[lane] = 0;

  // Those that do: a run of `count`.
  int ends[shape::rows];
  int count = 0;
#pragma unroll
  for (int row = 0; row < shape::rows; ++row) {
    const std::int64_t end = all_ends[row];
    const bool here = end <= base + shape::values && end + walk.segment + row * warp_size + lane < walk.end;
    ends[row] = here ? int(end - base) : 0;
    count += __popc(__ballot_sync(0xffffffffu, here));
  }
  constexpr int most = shape::rows * warp_size;
  const int start = int(walk.value - base);
  int stop = shuffle(warp, ends[shape::rows - 1], warp_size - 1);
  if (count < most) {
    const std::int64_t share = walk.end - (walk.segment + count) - base;
    stop = share < shape::values ? int(share) : shape::values;
  }
  warp.sync();
  if (lane == 0) scratch.mark(start);
#pragma unroll
  for (int row = 0; row < shape::rows; ++row) {
    const int t = row * warp_size + lane;
    if (t == count) ends[row] = stop;  // the open segment, as if it ended with the tile
    if (t <= count) scratch.mark(ends[row]);
  }
#pragma unroll
  for (int i = 0; i < shape::lane_loads; ++i) loads[i] = scratch.packet(lane * shape::lane_loads + i);
  uninitialized_array<T, shape::lane_items> items;
  std::memcpy(static_cast<void*>(&items), loads, sizeof items);
  warp.sync();  // from here on the bytes hold results
  const unsigned heads = scratch.heads[lane];
  Acc run = static_cast<Acc>(items[0]);
#pragma unroll
  for (int k = 1; k < shape::lane_items; ++k) {
    const bool head = heads >> k & 1;
    if (head) scratch.running(lane * shape::lane_items + k - 1) = run;
    run = head ? static_cast<Acc>(items[k]) : op(run, static_cast<Acc>(items[k]));
  }
  scratch.running(lane * shape::lane_items + shape::lane_items - 1) = run;
  // What a lane brings to the next: its run, and that of the lanes before it if no segment began in it.
  bool closed = heads != 0;
#pragma unroll
  for (unsigned delta = 1; delta < warp_size; delta *= 2) {
    const Acc before = shuffle_up(run, delta);
    const bool before_closed = __shfl_up_sync(0xffffffffu, int(closed), delta);
    if (lane >= int(delta)) {
      if (!closed) run = op(before, run);
      closed = closed || before_closed;
    }
  }
  scratch.open[lane] = run;
  warp.sync();

  maybe<Acc> open;
#pragma unroll
  for (int row = 0; row < shape::rows; ++row) {
    const int t = row * warp_size + lane;
    int begin = __shfl_up_sync(0xffffffffu, ends[row], 1);
    const int row_before = row > 0 ? shuffle(warp, ends[row > 0 ? row - 1 : 0], warp_size - 1) : start;
    if (lane == 0) begin = row_before;
    maybe<Acc> result;
    if (t <= count && begin < ends[row]) {
      const int last = ends[row] - 1, owner = last / shape::lane_items;
      result = scratch.running(last);
      if (begin < owner * shape::lane_items) result = maybe<Acc>(op(scratch.open[owner - 1], result.value));
    }
    if (t == 0) result = join(walk.tail, result);
    if (t == 0 && count > 0 && !walk.has_end) walk.head = result;
    else if (t < count) put(walk.segment + t, result);
    if (row == count / warp_size) open = result;
  }
  walk.tail = shuffle(warp, open, count % warp_size);
  if (count == most) walk.tail = {};
  walk.has_end |= count > 0;
  walk.segment += count;
  walk.value = base + stop;
  warp.sync();  // the scratch is free again
}

}  // namespace gpuprim::detail
