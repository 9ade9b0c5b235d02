// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A warp takes a row of neighbouring segments, where the operator commutes: short ones by a lane each, others by teams
// of lanes.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/segmented/segment_loads.cuh>
#include <gpuprim/device/segmented/segments.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The block calls `take(i)` for each item i that one of its warps has left out: bit k of `left_out` is segment `first`
/// + k of the calling warp.
template <int BlockSize, class Take>
__device__ __forceinline__ void take_left_out(std::int64_t first, unsigned left_out, const Take& take) {
  constexpr int warps = BlockSize / warp_size;
  GPUPRIM_SHARED(masks, shared_array<unsigned, warps>);
  GPUPRIM_SHARED(firsts, shared_array<std::int64_t, warps>);
  const this_block block;
  const int rank = int(block.thread_rank());
  if (rank % warp_size == 0) {
    masks[rank / warp_size] = left_out;
    firsts[rank / warp_size] = first;
  }
  if (!block.any(left_out != 0)) return;
#pragma unroll 1
  for (int warp = 0; warp < warps; ++warp) {
    for (unsigned rest = masks[warp]; rest != 0; rest &= rest - 1) take(firsts[warp] + __ffs(int(rest)) - 1);
  }
}

/// Lanes of a team for a segment of so many values, a power of two: as few as have some loads each, but at least as
/// many as the two edges need.
template <class In, class Acc>
GPUPRIM_HOST_DEVICE int count_team_lanes(std::int64_t values) {
  constexpr int items = segment_load<In>::items, least = items > 1 ? items / 2 : 1;
  int lanes = warp_size;
  while (lanes > least && lanes / 2 * items * segmented_policy::team_loads >= values) lanes /= 2;
  return lanes;
}

/// A row of segments, of which each lane knows one.
struct segment_row {
  std::int64_t first = 0;  ///< segment of lane 0
  int count = 0;           ///< segments
  int length = 0;          ///< of the calling lane's segment; more than an int holds counts as the largest
  std::int64_t begin = 0;

  /// Starts to read where `width` segments from `from` on lie. One whose end is not after its begin is empty.
  template <class Segments>
  __device__ __forceinline__ static segment_row look(const Segments& segments, std::int64_t from, int width) {
    segment_row row;
    const std::int64_t left = segments.count - from;
    row.first = from;
    row.count = left < width ? (left < 0 ? 0 : int(left)) : width;
    const bool is_there = int(ptx::lane()) < row.count;
    const std::int64_t i = from + ptx::lane();
    row.begin = is_there ? segments.begin(i) : 0;
    const std::int64_t end = is_there ? segments.end(i) : 0, length = end - row.begin;
    row.length = length < 0 ? 0 : length > most_length ? most_length : int(length);
    return row;
  }
  static constexpr int most_length = 0x7fffffff;

  /// The lanes that have a segment.
  __device__ unsigned lanes() const { return count > 0 ? 0xffffffffu >> (warp_size - count) : 0; }
  /// The lanes whose segments have at most so many values.
  __device__ unsigned lanes_of_at_most(std::int64_t values) const {
    return __ballot_sync(0xffffffffu, int(ptx::lane()) < count && length <= values);
  }
};

/// Teams of so many lanes take the segments of a row that `taken` names, and write their results.
template <int Loads, class Acc, class In, class Out, class Op>
__device__ __forceinline__ void take_by_teams(const segment_row& row, int lanes, unsigned taken,
                                              const bounded_input<In>& input, const put_segment<Acc, Out, Op>& put) {
  const warp_tile<warp_size> warp;
  const monoid<Acc, Op> join{put.op};
  const int lane = int(ptx::lane()), rank = lane & (lanes - 1), team = lane / lanes, teams = warp_size / lanes;
  const int length = taken >> lane & 1 ? row.length : 0;
  auto own = join.empty();  // of the segment that the lane writes
  for (int round = 0; in_all_lanes(round * teams < row.count); ++round) {
    const int i = round * teams + team;
    const std::int64_t from = detail::shuffle(warp, row.begin, i);
    auto total = detail::read_segment<Acc, Loads, segment_load<In>::items>(rank, lanes, input, from,
                                                                           detail::shuffle(warp, length, i), join);
    total = detail::join_neighbour_lanes(total, lanes, join);
    if (rank == round) own = total;
  }
  const int i = rank * teams + team;
  const bool present = detail::shuffle(warp, length, i) > 0;
  if (i < row.count && taken >> i & 1) put(row.first + i, present, join.unwrap(own));
}

/// Each lane takes its segment of each of some rows, `step` segments apart, if none is longer than a lane takes and
/// they are short on average. Returns whether it did. The values of two rows are in flight at once, for more there are
/// no registers.
template <int Rows, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ bool take_by_lanes(std::int64_t first, std::int64_t step, int width, const In& in,
                                              const Segments& segments, const put_segment<Acc, Out, Op>& put) {
  using policy = segmented_policy;
  constexpr int at_once = Rows < 2 ? Rows : 2, batch = Rows < 2 ? 16 : 4;
  std::int64_t begin[Rows];
  int length[Rows], longest = 0, values = 0, count = 0;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const auto row = segment_row::look(segments, first + r * step, width);
    begin[r] = row.begin;
    length[r] = row.length;
    count += row.count;
  }
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    longest = length[r] > longest ? length[r] : longest;
    values += length[r] > policy::most_lane_values ? policy::most_lane_values : length[r];
  }
  if (__any_sync(0xffffffffu, longest > policy::most_lane_values)) return false;
  values = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, values, plus{});
  if (values >= policy::most_average_lane_values * count) return false;
  const monoid<Acc, Op> join{put.op};
  using item_type = typename monoid<Acc, Op>::value_type;
#pragma unroll
  for (int at = 0; at < Rows; at += at_once) {
    uninitialized_array<item_type, at_once> totals;
#pragma unroll
    for (int r = 0; r < at_once; ++r) totals[r] = join.empty();
    for (int k = 0; k < longest; k += batch) {
      uninitialized_array<item_type, at_once * batch> items;
#pragma unroll
      for (int i = 0; i < at_once * batch; ++i) {
        const int r = at + i / batch, item = k + i % batch;
        items[i] = join.empty();
        if (item < length[r]) items[i] = detail::convert<Acc>(in[begin[r] + item]);
      }
#pragma unroll
      for (int i = 0; i < at_once * batch; ++i) totals[i / batch] = join(totals[i / batch], items[i]);
    }
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      const std::int64_t i = first + (at + r) * step + int(ptx::lane());
      if (int(ptx::lane()) < width && i < segments.count) put(i, length[at + r] > 0, join.unwrap(totals[r]));
    }
  }
  return true;
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
