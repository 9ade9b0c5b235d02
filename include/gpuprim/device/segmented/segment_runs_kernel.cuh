// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_bounds_kernel.cuh>

namespace gpuprim::detail {

// Segments that lie anywhere, with an operator that need not commute: each short one is reduced by a lane, or by a warp
// with those that follow it.

/// A warp looks at `width` segments, at most 32.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, are_small<In, Acc> ? 4 : 1)
    segment_runs_kernel(In in, Segments segments, int width, put_segment<Acc, Out, Op> put,
                          segment_list<Acc> list) {
  check_segmented_operator<Acc, Op>();
  using scratch_type = segment_scratch<In, Acc>[BlockSize / warp_size];
  GPUPRIM_SHARED(scratch, scratch_type);
  ptx::begin_kernel();
  const warp_tile<warp_size> warp;
  const int in_block = int(threadIdx.x) / warp_size, lane = int(ptx::lane());
  const int block_segments = BlockSize / warp_size * width;
  const std::int64_t step = std::int64_t(gridDim.x) * block_segments;
  // Not `put` itself, whose results a tile would hold back: for these segments that is slower.
  const auto put_at_once = [&](std::int64_t i, bool present, const Acc& result) { put(i, present, result); };
  const auto take_row = [&](std::int64_t first) {
    const std::int64_t i = first + lane;
    std::int64_t begin = 0, values = -1;  // of lanes that have no segment
    bool is_backward = false;
    if (lane < width && i < segments.count) {
      begin = segments.begin(i);
      values = segments.end(i) - begin;
      is_backward = values < 0;
      if (is_backward) values = 0;
    }
    const bool is_short = values >= 0 && values <= segmented_policy::most_average_bound_lane_values;
    const bool is_long = values >= segmented_policy::least_listed_values;
    if (is_long) list.add(i);
    const unsigned others = __ballot_sync(0xffffffffu, values >= 0 && !is_short && !is_long);
    // Where there are few others; else the short ones may stand between them.
    const bool by_lane = is_short && (is_backward || __popc(others) < warp_size / 4);
    if (by_lane) {
      Acc run = put.init;
      if (values > 0) run = static_cast<Acc>(in[begin]);
      for (int k = 1; k < int(values); ++k) run = put.op(run, static_cast<Acc>(in[begin + k]));
      put(i, values > 0, run);
    }
    // The others, in runs of which each segment begins where the one before it ends.
    const bool is_taken = values >= 0 && !by_lane && !is_long;
    const std::int64_t end_before = detail::shuffle_up(is_taken ? begin + values : std::int64_t{-1}, 1);
    const bool follows = is_taken && lane > 0 && begin == end_before;
    const unsigned followers = __ballot_sync(0xffffffffu, follows);
    unsigned rest = __ballot_sync(0xffffffffu, is_taken && !follows);
    for (; rest != 0; rest &= rest - 1) {
      const int leader = __ffs(int(rest)) - 1, last = leader + __ffs(int(~(followers >> leader >> 1))) - 1;
      const std::int64_t from = detail::shuffle(warp, begin, leader), to = detail::shuffle(warp, begin + values, last);
      segment_walk<Acc> walk{};
      walk.segment = first + leader;
      walk.value = from;
      walk.end = item_number(to, first + last + 1);
      const offset_segments<decltype(segments.ends), 0> those{segments.ends, first + last + 1};
      detail::take_share(walk, bounded_input<In>{in, from, to}, those, put.op, scratch[in_block], put_at_once);
      if (lane == 0) put(first + leader, walk.head.present, walk.head.value);
    }
  };
  for (std::int64_t first = std::int64_t(blockIdx.x) * block_segments + in_block * width; first < segments.count;
       first += bound_rows * step) {
    if constexpr (are_small<In, Acc>) {  // more would not fit the registers
      const auto seen = seen_rows<bound_rows>::look(segments, first, width, step);
      if (detail::take_short_rows(in, segments, seen, first, width, step, put)) continue;
    }
    for (int row = 0; row < bound_rows && first + row * step < segments.count; ++row) take_row(first + row * step);
  }
}

}  // namespace gpuprim::detail
