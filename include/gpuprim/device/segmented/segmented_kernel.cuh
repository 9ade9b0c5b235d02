// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernel for consecutive segments.
#include <gpuprim/device/segmented/segment_loads.cuh>
#include <gpuprim/device/segmented/segment_rows.cuh>
#include <gpuprim/device/segmented/segments.cuh>
#include <gpuprim/device/segmented/segments_by_blocks.cuh>
#include <gpuprim/device/segmented/shares.cuh>
#include <gpuprim/grid/draws.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <cmath>

namespace gpuprim::inline v0_2_0::detail {

/// Who takes the segments: each warp one row, by teams of lanes; blocks, which draw whole segments; or all warps equal
/// shares of values and ends.
enum class segment_takers { teams, blocks, shares };

/// Whether there are so few segments that each warp has one: then no warp walks over tiles, and the kernel is light.
enum class list_size { few, many };

/// How a list is cut for the blocks of a grid, and what else the host can work out for them.
struct list_cuts {
  std::int64_t part;  ///< segments of each of as many parts as a block has threads
  int row;            ///< segments of each warp, if each has one row; 33 stands for more than a row has
  /// Of the values of all segments: of one on average; of those that a block may be waited for.
  float of_segment, of_wait;
  /// How far a part may lie above the average by chance, in averages of a segment: four standard deviations.
  float chance;

  static list_cuts make(std::int64_t segments, std::int64_t blocks, int block_size) {
    const std::int64_t row = (segments - 1) / (blocks * (block_size / warp_size)) + 1;
    // An odd number, for parts a power of two apart would lie in few channels of the memory.
    const std::int64_t part = ((segments - 1) / block_size + 1) | 1;
    return {part, row <= warp_size ? int(row) : warp_size + 1, 1 / float(segments), 1 / float(2 * blocks),
            4 * std::sqrt(float(part - 1))};
  }
};

/// What a thread sees of a list of consecutive segments. All of it is read at once, so that it is waited for once.
struct list_sight {
  std::int64_t row_first, row_begin, row_end;  ///< the segment that the lane has in its warp's row
  /// The thread's part of the list: its first segment, where that begins and ends, and where the part ends.
  std::int64_t part_first, part_begin, first_end, part_end;
  std::int64_t block_begin, block_end;  ///< the segment with the number of the block
  std::int64_t first, last;             ///< values of all segments

  /// Index: a type that the number of segments fits.
  template <class Index, class Segments>
  __device__ __forceinline__ static list_sight look(const Segments& segments, const list_cuts& cuts) {
    const Index count = Index(segments.count), warp = Index(threadIdx.x / warp_size);
    const auto begin = [&](Index i) { return segments.begin(i < count ? i : count); };
    list_sight seen;
    seen.row_first = (warp * Index(gridDim.x) + Index(blockIdx.x)) * Index(cuts.row);
    seen.part_first = Index(threadIdx.x) * Index(cuts.part);
    const Index row = Index(seen.row_first) + Index(ptx::lane()), part = Index(seen.part_first);
    seen.row_begin = begin(row);
    seen.row_end = begin(row + 1);
    seen.part_begin = begin(part);
    seen.first_end = begin(part + 1);
    seen.part_end = begin(part + Index(cuts.part));
    seen.block_begin = begin(Index(blockIdx.x));
    seen.block_end = begin(Index(blockIdx.x) + 1);
    seen.first = segments.first();
    seen.last = segments.last();
    return seen;
  }
  __device__ segment_row row(std::int64_t segments, const list_cuts& cuts) const {
    const std::int64_t left = segments - row_first, length = row_end - row_begin;
    const int count = left < cuts.row ? (left < 0 ? 0 : int(left)) : cuts.row;
    const bool is_there = int(ptx::lane()) < count;
    constexpr int most = segment_row::most_length;
    return {row_first, count, !is_there ? 0 : length > most ? most : int(length), row_begin};
  }
  __device__ std::int64_t sample_length() const { return first_end - part_begin; }
  /// Whether a lone block would be waited for, with such a segment, or with one that a part has beside the others. The
  /// values of parts differ by chance too.
  __device__ bool may_wait(const list_cuts& cuts, float average, float most_values) const {
    const float extra = float(part_end - part_begin) - average * float(cuts.part);
    return float(sample_length()) > most_values || extra > most_values + average * cuts.chance;
  }
};

/// What a block knows of a list when it chooses.
struct list_outline {
  segment_takers takers;
  int average;  ///< values of a segment, rounded up; where shares are chosen it may be cut short

  /// The whole block calls it.
  template <list_size Size, class In>
  __device__ __forceinline__ static list_outline choose(std::int64_t segments, const list_cuts& cuts,
                                                        const list_sight& seen) {
    using policy = segmented_policy;
    constexpr float element = sizeof(input_value<In>);
    constexpr int round_values = warp_size * segment_load<In>::items * policy::team_loads;
    const float values = float(seen.last - seen.first), average = values * cuts.of_segment;
    const float most_values = policy::most_block_bytes / element + values * cuts.of_wait;
    // So few values all together are waited for by nobody.
    const bool are_few = values <= policy::most_block_bytes / element;
    // Each warp votes in any case: the compiler would put the loads of the samples off to a branch.
    const bool waits = in_all_lanes(seen.may_wait(cuts, average, most_values));
    const bool may_wait = !are_few && this_block::any(waits);
    const int mean = average < float(1 << 30) ? int(average) + 1 : 1 << 30;
    if (Size == list_size::few && are_few) return {segment_takers::teams, mean};
    if (may_wait || segments > std::int64_t{1} << 30) return {segment_takers::shares, mean};  // draws have 32 bits
    if (segments <= gridDim.x || average * element >= policy::least_block_bytes) return {segment_takers::blocks, mean};
    const bool fits_row = cuts.row <= warp_size && float(cuts.row) * average <= policy::most_team_rounds * round_values;
    return {fits_row ? segment_takers::teams : segment_takers::shares, mean};
  }
};

/// Each warp takes one row by teams of lanes. The block takes those that are much longer than the others.
template <list_size Size, int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_one_row(const segment_row& row, int row_size, int average,
                                             const bounded_input<In>& input, const Segments& segments,
                                             const put_segment<Acc, Out, Op>& put) {
  using policy = segmented_policy;
  int lanes = Size == list_size::few ? warp_size : count_team_lanes<In, Acc>(average);
  while (Size == list_size::many && 2 * lanes * row_size <= warp_size) lanes *= 2;
  const int few_rounds = 4 * lanes * segment_load<In>::items * policy::team_loads;
  const int most = Size == list_size::few ? 2 * few_rounds : policy::most_team_ratio * average;
  const unsigned taken = row.lanes_of_at_most(most < few_rounds ? few_rounds : most);
  const bool is_long = Size == list_size::few && in_all_lanes(row.length > few_rounds / 4);
  if (is_long) detail::take_by_teams<policy::few_loads, Acc>(row, lanes, taken, input, put);
  else detail::take_by_teams<policy::team_loads, Acc>(row, lanes, taken, input, put);
  const monoid<Acc, Op> join{put.op};
  detail::take_left_out<BlockSize>(row.first, row.lanes() & ~taken, [&](std::int64_t i) {
    const auto total = detail::reduce_by_block<BlockSize, Acc>(input, segments.begin(i), segments.end(i), join);
    if (this_block::thread_rank() == 0) put(i, true, join.unwrap(total));
  });
}

/// Every block walks over an equal share of values and ends.
template <share_walk Walk, int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_shares(const bounded_input<In>& input, const Segments& segments,
                                            const put_segment<Acc, Out, Op>& put, const segmented_state<Acc>& state) {
  constexpr int warps = BlockSize / warp_size;
  const std::int64_t last = item_number<Segments::end_items>(input.last, segments.count);
  const std::int64_t share = warp_share<In, Acc>(last - input.first, std::int64_t(gridDim.x) * warps);
  GPUPRIM_SHARED(own, item_share);  // in registers it would be in the way of loads
  const int number = detail::number_block(state.blocks);
  if (this_block::thread_rank() == 0) own = item_share::make(number, share * warps, input.first, last);
  this_block::sync();
  const auto walk = [&](std::int64_t item, std::int64_t end) {
    constexpr bool is_by_block = Walk == share_walk::by_block;
    if constexpr (is_by_block) return detail::walk_by_block<BlockSize, Acc>(item, end, input, segments, put.op, put);
    else return detail::walk_by_warps<BlockSize, Acc>(item, share, end, input, segments, put.op, put);
  };
  detail::reduce_share<BlockSize>(own, segments, put.op, state.blocks.mailboxes, put, walk);
}

/// Consecutive segments, in one launch.
template <list_size Size, int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out,
          class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segmented_kernel(In in, Segments segments, list_cuts cuts, put_segment<Acc, Out, Op> put,
                     segmented_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  detail::expects_order(segments);
  if constexpr (is_commutative<Op, Acc>) {
    using index = std::conditional_t<Size == list_size::few, int, std::int64_t>;
    const auto seen = list_sight::look<index>(segments, cuts);
    const auto list = list_outline::choose<Size, In>(segments.count, cuts, seen);
    const bounded_input<In> input{in, seen.first, seen.last};
    if (in_all_lanes(list.takers == segment_takers::teams)) {
      const auto row = seen.row(segments.count, cuts);
      return detail::take_one_row<Size, BlockSize>(row, cuts.row, list.average, input, segments, put);
    }
    if (in_all_lanes(list.takers == segment_takers::blocks)) {
      const unsigned batch = cuts.row == 1 ? 1 : count_draw<In>(unsigned(segments.count), list.average, gridDim.x);
      const whole_segment own{seen.block_begin, seen.block_end, blockIdx.x};
      const auto none = [](const whole_segment&) { return false; };
      return detail::take_whole_segments<BlockSize>(own, input, segments, batch, gridDim.x, state.drawn, put, none);
    }
    constexpr auto walk = Size == list_size::few ? share_walk::by_block : share_walk::by_warps;
    detail::take_shares<walk, BlockSize>(input, segments, put, state);
  } else {
    const bounded_input<In> input{in, segments.first(), segments.last()};
    detail::take_shares<share_walk::by_warps, BlockSize>(input, segments, put, state);
  }
}

}  // namespace gpuprim::detail
