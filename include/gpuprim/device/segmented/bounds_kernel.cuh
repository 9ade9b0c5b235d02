// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernel for segments that lie anywhere: each has a begin and an end of its own.
#include <gpuprim/device/segmented/segments_by_blocks.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Rows of 32 segments that a warp looks at together, so that it waits for their bounds once.
inline constexpr int rows_at_once = 4;

/// A warp takes a row: by teams of as many lanes as its average asks for, or, where the operator does not commute, one
/// segment after the other. It lists long ones.
template <class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_row(const segment_row& row, const bounded_input<In>& input,
                                         const Segments& segments, std::int64_t part_values,
                                         const put_segment<Acc, Out, Op>& put, const segmented_state<Acc>& state) {
  const int lane = int(ptx::lane());
  const unsigned taken = row.lanes_of_at_most(segmented_policy::least_listed_values - 1);
  if (lane < row.count && !(taken >> lane & 1)) {
    const std::int64_t i = row.first + lane;
    detail::list_segment(i, segments.end(i) - segments.begin(i), part_values, state);
  }
  if (in_all_lanes(taken == 0)) return;
  if constexpr (is_commutative<Op, Acc>) {
    const warp_tile<warp_size> warp;
    const int values = taken >> lane & 1 ? row.length : 0;
    const int average = gpuprim::warp_all_reduce(warp, values, plus{}) / row.count + 1;
    const int longest = gpuprim::warp_all_reduce(warp, values, maximum{});
    // As many lanes that the longest one takes few rounds too.
    int lanes = count_team_lanes<In, Acc>(longest / 8 < average ? average : longest / 8);
    while (2 * lanes * row.count <= warp_size) lanes *= 2;
    detail::take_by_teams<segmented_policy::team_loads, Acc>(row, lanes, taken, input, put);
  } else {
    for (unsigned rest = taken; rest != 0; rest &= rest - 1) {
      const int at = __ffs(int(rest)) - 1;
      const std::int64_t begin = detail::shuffle(warp_tile<warp_size>{}, row.begin, at);
      const std::int64_t end = begin + detail::shuffle(warp_tile<warp_size>{}, row.length, at);
      const auto total = detail::reduce_in_order<Acc>(input, begin, end, put.op);
      if (lane == 0) put(row.first + at, total.present, total.value);
    }
  }
}

/// The average of some segments that lie anywhere. Each warp looks at the same ones.
template <class Segments>
__device__ __forceinline__ std::int64_t sample_average(const Segments& segments) {
  const std::int64_t i = int(ptx::lane()) * (segments.count / warp_size | 1);
  const bool is_there = i < segments.count;
  const std::int64_t length = is_there ? segments.end(i) - segments.begin(i) : 0;
  const warp_tile<warp_size> warp;
  return gpuprim::warp_all_reduce(warp, length > 0 ? length : 0, plus{}) / __popc(__ballot_sync(0xffffffffu, is_there));
}

/// What the two launches for segments that lie anywhere agree on.
struct bounds_outline {
  bool are_for_blocks;        ///< blocks take whole segments; otherwise warps take rows
  int average;                ///< values of a segment, for blocks
  std::int64_t least_listed;  ///< values from which on a segment is left to the second launch
  std::int64_t part_values;   ///< of each part of a listed segment: the parts of all would so fill half of the list

  template <class Op, class Acc, class In, class Segments>
  __device__ static bounds_outline look(const Segments& segments, unsigned places) {
    using policy = segmented_policy;
    constexpr std::int64_t least_part = policy::least_part_values;
    const std::int64_t average = detail::sample_average(segments);
    const std::int64_t part = average * segments.count / ((places + 1) / 2) / least_part;
    const std::int64_t part_values = (part < 4 ? 4 : part) * least_part;
    if constexpr (is_commutative<Op, Acc>) {
      constexpr std::int64_t most = 1 << 30, most_whole = 8 * least_part;
      const bool are_few = segments.count <= std::int64_t{1} << 31;  // draws have 32 bits
      if (are_few && average * int(sizeof(input_value<In>)) >= policy::least_block_bytes) {
        return {true, int(average < most ? average : most) + 1, most_whole, part_values};
      }
    }
    return {false, 0, policy::least_listed_values, part_values};
  }
};

/// The first of two launches: blocks take whole segments where these are long on average, otherwise each warp takes
/// rows of `width` segments in turn. What is long beside that is listed.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_and_list(int width, const bounded_input<In>& input, const Segments& segments,
                                              const put_segment<Acc, Out, Op>& put, const segmented_state<Acc>& state) {
  constexpr int warps = BlockSize / warp_size;
  const std::int64_t step = std::int64_t(gridDim.x) * warps * width;
  std::int64_t first = (std::int64_t(blockIdx.x) * warps + threadIdx.x / warp_size) * width;
  const auto row = segment_row::look(segments, first, width);  // in flight with what the outline is made of
  const auto list = bounds_outline::look<Op, Acc, In>(segments, state.places);
  if constexpr (is_commutative<Op, Acc>) {
    if (in_all_lanes(list.are_for_blocks)) {
      const auto lists = [&](const whole_segment& own) {
        if (own.length() < list.least_listed) return false;
        if (this_block::thread_rank() == 0) detail::list_segment(own.number, own.length(), list.part_values, state);
        return true;
      };
      const unsigned blocks = gridDim.x - (segments.count <= gridDim.x ? 0 : gridDim.x / 4);  // more read in disorder
      if (blockIdx.x >= blocks) return;
      const unsigned batch = count_draw<In>(unsigned(segments.count), list.average, blocks);
      const auto own = whole_segment::find(segments, blockIdx.x);
      return detail::take_whole_segments<BlockSize>(own, input, segments, batch, blocks, state.drawn, put, lists);
    }
  }
  if (in_all_lanes(step >= segments.count)) {  // one row, which lanes that share segments read soonest
    if (in_all_lanes(row.count > 0)) detail::take_row(row, input, segments, list.part_values, put, state);
    return;
  }
  for (; first < segments.count; first += rows_at_once * step) {
    if constexpr (are_small<In, Acc>) {
      if (detail::take_by_lanes<rows_at_once>(first, step, width, input.in, segments, put)) continue;
    }
    for (int r = 0; r < rows_at_once && first + r * step < segments.count; ++r) {
      const auto own = segment_row::look(segments, first + r * step, width);
      detail::take_row(own, input, segments, list.part_values, put, state);
    }
  }
}

/// The second launch: all blocks take what is listed. Where that is more than the list has places, they look for it
/// themselves, so that what a segment gives does not depend on which of them were listed. A block clears what it read.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_what_is_listed(const bounded_input<In>& input, const Segments& segments,
                                                    const put_segment<Acc, Out, Op>& put,
                                                    const segmented_state<Acc>& state) {
  const unsigned listed = ptx::load_relaxed(state.listed);
  if (listed == 0) return;
  const auto list = bounds_outline::look<Op, Acc, In>(segments, state.places);
  if (listed <= state.places) {
    detail::take_listed<BlockSize>(listed, list.part_values, input, segments, put, state);
  } else {
    detail::take_all_long<BlockSize>(list.least_listed, input, segments, put, state);
  }
  this_block::sync();
  const unsigned rank = this_block::thread_rank(), end = listed < state.places ? listed : state.places;
  for (unsigned i = blockIdx.x + rank * gridDim.x; i < end; i += BlockSize * gridDim.x) state.list[i] = 0;
  if (rank != 0) return;
  if (ptx::arrive_in_order(state.left, gridDim.x - 1) == gridDim.x - 1) ptx::store_relaxed(state.listed, 0u);
}

enum class bounds_pass { take_and_list, take_listed };

/// Segments that lie anywhere, in two launches.
template <bounds_pass Pass, int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out,
          class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    bounds_kernel(In in, Segments segments, int width, put_segment<Acc, Out, Op> put, segmented_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  const bounded_input<In> input{in, 0, 0};  // nothing is read but what is in a segment
  if constexpr (Pass == bounds_pass::take_and_list)
    detail::take_and_list<BlockSize>(width, input, segments, put, state);
  else detail::take_what_is_listed<BlockSize>(input, segments, put, state);
}

}  // namespace gpuprim::detail
