// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the lanes of a warp, or the threads of a block, read one segment together.
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/policy/segmented_policy.hpp>
#include <gpuprim/warp/join_lanes.cuh>
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// The loads that bring elements of the input.
template <class In>
struct segment_load {
  using value_type = input_value<In>;
  /// What a load brings.
  using packet = std::conditional_t<std::is_pointer_v<In>, loaded<value_type>, uninitialized_array<value_type, 1>>;
  static constexpr int items = std::is_pointer_v<In> ? elements_per_load<value_type> : 1;
  /// Values from one line of 128 bytes to the next. A row of loads that straddles lines takes one line more.
  static constexpr int line_items = items == 1 ? 1 : 128 / int(sizeof(value_type));
};

/// An array that is read value by value.
template <class T>
struct value_by_value : input_iterator_types<T> {
  const T* in;

  explicit value_by_value(const T* i) : in(i) {}
  __device__ T operator[](std::int64_t at) const { return in[at]; }
};

/// Elements and accumulators of which a thread has room for several in registers.
template <class In, class Acc>
inline constexpr bool are_small = sizeof(Acc) <= 8 && sizeof(input_value<In>) <= 8;

/// Where the input lies between the first and the last value that may be read.
template <class In>
struct bounded_input {
  using value_type = input_value<In>;
  In in;
  std::int64_t first, last;

  /// The nearest place at or before `position` whose address is a multiple of Items values.
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
    std::memcpy(static_cast<void*>(detail::pointer_to(packet)), detail::pointer_to(items), sizeof packet);
    return packet;
  }
};

/// A load of values that are read once.
template <class T, class In>
__device__ __forceinline__ auto load_once(const In& in, std::int64_t at) {
  if constexpr (std::is_pointer_v<In> && load_bytes % sizeof(T) == 0) return ptx::load_past_l1(in + at);
  else return detail::load_as_is<T>(in, at);
}

/// Loads under conditions that are in flight together: each takes a predicate until it is used.
inline constexpr int most_conditions = 4;

/// Joins Loads loads to a running value: load k begins with value `place(k)`, if `is_there(k)`. All are in flight
/// before the first is used. Where there are too many for conditions, those that are not there are made too.
template <class Acc, int Loads, class In, class Place, class IsThere, class Join>
__device__ __forceinline__ void join_loads_of(typename Join::value_type& total, const In& in, const Place& place,
                                              const IsThere& is_there, const Join& join) {
  using T = input_value<In>;
  typename segment_load<In>::packet loads[Loads];
#pragma unroll
  for (int k = 0; k < Loads; ++k) {
    if (Loads > most_conditions || is_there(k)) loads[k] = detail::load_once<T>(in, place(k));
  }
#pragma unroll
  for (int k = 0; k < Loads; ++k) {
    if (is_there(k)) total = join(total, detail::fold_load<Acc, T>(loads[k], join.op));
  }
}

/// What thread `rank` of `threads` has of `length` values from `from` on, where the operator commutes. All lanes of a
/// warp call it. Whole loads begin at a multiple of Align values; the values before and behind them are read one by
/// one, at most two by each thread. With more than `most_conditions` loads, a thread that has no value where others of
/// its warp have some reads the load before `from`.
template <class Acc, int Loads, int Align, class In, class Join>
__device__ __forceinline__ typename Join::value_type read_segment(int rank, int threads, const bounded_input<In>& input,
                                                                  std::int64_t from, int length, const Join& join) {
  constexpr int items = segment_load<In>::items;
  int edge = int(input.template align<Align>(from + Align - 1) - from);
  if (edge > length) edge = length;
  const int count = (length - edge) / items, behind = edge + count * items;
  In in = input.in;
  if constexpr (std::is_pointer_v<In>) {  // one register for both
    in += from;
    from = 0;
  }
  auto total = join.empty(), tail = join.empty();
  if constexpr (items > 1) {
    if (rank < edge) total = detail::convert<Acc>(in[from + rank]);
    if (behind + rank < length) tail = detail::convert<Acc>(in[from + behind + rank]);
    if (in_all_lanes(threads < Align)) {
      const int second = rank + threads;
      if (second < edge) total = join(total, detail::convert<Acc>(in[from + second]));
      if (behind + second < length) tail = join(tail, detail::convert<Acc>(in[from + behind + second]));
    }
  }
  constexpr int loads = sizeof(Acc) > most_unrolled_bytes ? 1 : Loads;
  int at = rank;
  for (; at - rank + loads * threads <= count; at += loads * threads) {
    const auto place = [&](int k) { return from + edge + at * items + k * (threads * items); };
    detail::join_loads_of<Acc, loads>(total, in, place, [](int) { return true; }, join);
  }
  if (loads <= most_conditions || in_all_lanes(at - rank < count)) {
    const auto place = [&](int k) {  // of the last load for one that is not there
      const int i = at + k * threads;
      return from + edge + (loads <= most_conditions || i < count ? i : count - 1) * items;
    };
    detail::join_loads_of<Acc, loads>(total, in, place, [&](int k) { return at + k * threads < count; }, join);
  }
  return join(total, tail);
}

/// One unit of UnitLoads rows of a warp. Where the operator commutes each lane gets its part, otherwise all of it.
template <class Acc, int UnitLoads, class In, class Op>
__device__ __forceinline__ Acc take_unit(const In& in, std::int64_t first, const Op& op) {
  using load = segment_load<In>;
  using T = typename load::value_type;
  typename load::packet loads[UnitLoads];
  uninitialized_array<Acc, UnitLoads> rows;
  const std::int64_t lane_first = first + int(ptx::lane()) * load::items;
#pragma unroll
  for (int row = 0; row < UnitLoads; ++row) {
    loads[row] = detail::load_once<T>(in, lane_first + row * (warp_size * load::items));
  }
#pragma unroll
  for (int row = 0; row < UnitLoads; ++row) rows[row] = detail::fold_load<Acc, T>(loads[row], op);
  if constexpr (is_commutative<Op, Acc>) return gpuprim::thread_reduce(rows, op);
  else return gpuprim::warp_all_reduce_rows(rows, op);
}

/// A warp reduces the values from `from` to before `to` in their order. Every lane gets the result.
template <class Acc, class In, class Op>
__device__ __forceinline__ maybe<Acc> reduce_in_order(const bounded_input<In>& input, std::int64_t from,
                                                      std::int64_t to, const Op& op) {
  constexpr int items = segment_load<In>::items, loads = sizeof(Acc) <= 8 ? segmented_policy::team_loads : 1;
  constexpr int unit = warp_size * items * loads;
  const warp_tile<warp_size> warp;
  const maybe_monoid<Acc, Op> join{op};
  const int lane = int(ptx::lane());
  maybe<Acc> total;
  const auto append = [&](std::int64_t first, int count) {  // values one by one, one a lane
    const maybe<Acc> own = lane < count ? maybe<Acc>(detail::convert<Acc>(input.in[first + lane])) : maybe<Acc>{};
    total = join(total, gpuprim::warp_all_reduce(warp, own, join));
  };
  std::int64_t body = input.template align<items>(from + items - 1);
  if (body > to) body = to;
  if (in_all_lanes(from < body)) append(from, int(body - from));
  for (; in_all_lanes(body + unit <= to); body += unit) {
    Acc all = detail::take_unit<Acc, loads>(input.in, body, op);
    if constexpr (is_commutative<Op, Acc>) all = gpuprim::warp_all_reduce(warp, all, op);
    total = join(total, maybe<Acc>(all));
  }
  for (; in_all_lanes(body < to); body += warp_size) append(body, to - body < warp_size ? int(to - body) : warp_size);
  return total;
}

/// What a thread of a block has of the values from `from` to before `to`, which begin at a line where they are many.
template <int BlockSize, class Acc, class In, class Join>
__device__ __forceinline__ typename Join::value_type read_by_block(const bounded_input<In>& input, std::int64_t from,
                                                                   std::int64_t to, const Join& join) {
  constexpr int line = segment_load<In>::line_items < warp_size ? segment_load<In>::line_items : warp_size;
  constexpr std::int64_t most = std::int64_t{1} << 30;  // counted in 32 bits
  constexpr int loads = segmented_policy::long_loads;
  const int rank = int(this_block::thread_rank());
  auto total = join.empty();
#pragma unroll 1
  for (; from < to; from += most) {
    const int length = to - from < most ? int(to - from) : int(most);
    total = join(total, detail::read_segment<Acc, loads, line>(rank, BlockSize, input, from, length, join));
  }
  return total;
}

/// A block reduces the values from `from` to before `to`, where the operator commutes. Rank 0 gets the result.
template <int BlockSize, class Acc, class In, class Join>
__device__ __forceinline__ typename Join::value_type reduce_by_block(const bounded_input<In>& input, std::int64_t from,
                                                                     std::int64_t to, const Join& join) {
  const this_block block;
  auto total = detail::read_by_block<BlockSize, Acc>(input, from, to, join);
  total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, join);
  return detail::block_join_warps<BlockSize>(block, total, join, BlockSize / warp_size);
}

}  // namespace gpuprim::detail
