// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_streams.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::detail {

template <class Acc, class Op>
__device__ constexpr void check_segmented_operator() {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::segmented_reduce: the operator's const operator() must take two values of the accumulator "
                "type and return one");
}

/// What the blocks of a grid share, in a zeroed buffer that is zero again in the end.
template <class Acc>
struct segmented_state {
  spread_draws draws;
  grid_reduce_state<Acc> blocks;

  static constexpr std::int64_t bytes(std::int64_t blocks) {
    return spread_draws::bytes + grid_reduce_bytes<Acc>(blocks);
  }
  static segmented_state lay_over(void* buffer) {
    return {{static_cast<unsigned*>(buffer)},
            make_grid_reduce_state<Acc>(static_cast<char*>(buffer) + spread_draws::bytes)};
  }
};

/// The values that a block reads first if it draws segments start for the L2 cache, while samples are on their way:
/// 32768 values 235.9 us instead of 237.2.
template <int BlockSize, class In, class Segments>
__device__ __forceinline__ void prefetch_segment(const bounded_input<In>& input, const Segments& segments, unsigned i) {
  if constexpr (std::is_pointer_v<In>) {
    constexpr int size = sizeof(input_value<In>), line_items = size < 128 ? 128 / size : 1;  // a line for each thread
    const auto own = whole_segment::find(segments, i);
    const std::int64_t at = own.begin + int(this_block::thread_rank()) * line_items;
    if (at < own.end) ptx::prefetch_to_l2(input.in + at);
  }
}

/// Segments are drawn if they are long on average, and none is longer than blocks can take: no part of the list, of as
/// many as a block has threads, has more than the others by some times what each block has to read. Blocks take long
/// ones, and shorter ones if they are alike: then parts do not differ much. Still shorter ones, where they are more
/// than bundles could take, are streams, or, of short lists that are uneven, too few for these to come out even, for
/// blocks. The whole block calls it.
template <int BlockSize, class Acc, class In, class Segments>
__device__ __forceinline__ segment_taker choose_taker(const bounded_input<In>& input, const Segments& segments,
                                                       const sample_place& at) {
  using policy = segmented_policy;
  const std::int64_t count = segments.count, values = input.last - input.first;
  const std::int64_t warps = std::int64_t(gridDim.x) * (BlockSize / warp_size);
  if (count > std::int64_t{1} << 31) return segment_taker::share;  // counters have 32 bits
  constexpr int element = sizeof(input_value<In>);
  const auto are_longer_than = [=](int bytes) { return values >= (bytes / element + 1) * count; };
  segment_taker taker = segment_taker::long_block;
  if (!are_longer_than(policy::least_uneven_bytes)) {
    taker = segment_taker::alike_block;
    if (!are_longer_than(policy::shape_of<Acc>.least_whole_bytes)) {
      const bool fit_bundles = values <= most_bundle_values<In, Acc>(warps);
      if (!stream_shape<In, Acc>::fits || fit_bundles || !are_longer_than(policy::least_stream_bytes)) {
        return segment_taker::share;
      }
      taker = segment_taker::stream;
    }
  }
  if (are_longer_than(policy::most_drawn_bytes)) return segment_taker::share;
  const bool may_be_pairs = taker == segment_taker::alike_block && !are_longer_than(policy::most_pair_bytes) &&
                            count > policy::least_pairs_per_block * std::int64_t(gridDim.x);
  if (may_be_pairs) taker = segment_taker::even_block;
  const auto seen = segment_sample::ask(segments, at, false);
  if (taker != segment_taker::stream) {
    detail::prefetch_segment<BlockSize>(input, segments, blockIdx.x << int(may_be_pairs));
  }
  const float average = float(values) / float(count), deviation = average * sqrtf(float(at.step));
  float most_extra = policy::most_extra_shares * (float(values) / float(gridDim.x));
  if (taker != segment_taker::long_block) most_extra = fminf(most_extra, policy::most_deviations * deviation);
  const bool may_be_uneven = may_be_pairs ||
                             (taker == segment_taker::stream && count <= policy::most_uneven_segments &&
                              are_longer_than(policy::least_uneven_part_bytes));
  const float extra = float(seen.part_values()) - average * float(at.step);
  const bool is_unlike = extra > most_extra;
  const bool is_uneven = may_be_uneven && extra > policy::most_even_deviations * deviation;
  if (in_all_lanes(this_block::any(is_unlike || is_uneven))) {
    return in_all_lanes(this_block::any(is_unlike)) ? segment_taker::share : segment_taker::alike_block;
  }
  return taker;
}

/// Who takes segments in the end: what would be for shares may be for bundles. The whole block calls it.
template <int BlockSize, class Acc, class In, class Segments>
__device__ __forceinline__ segment_choice choose_takers(const bounded_input<In>& input, const Segments& segments) {
  const auto at = sample_place::of_block<BlockSize>(segments.count);
  const segment_taker taker = detail::choose_taker<BlockSize, Acc>(input, segments, at);
  if (in_all_lanes(taker != segment_taker::share)) return {taker};
  return detail::choose_bundle<BlockSize, In, Acc>(segments, input.last - input.first, at);
}

/// Segments that follow each other, in one launch.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segmented_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put, segmented_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  detail::expects_order(segments);
  const bounded_input<In> input{in, segments.first(), segments.last()};
  if constexpr (is_commutative<Op, Acc>) {
    const segment_choice choice = detail::choose_takers<BlockSize, Acc>(input, segments);
    const segment_taker taker = choice.taker;
    using policy = segmented_policy;
    if (in_all_lanes(taker == segment_taker::even_block || taker == segment_taker::alike_block)) {
      const spread_draws draws{state.draws.counters, taker == segment_taker::even_block ? 1u : 0u};
      return take_whole<BlockSize, policy::unit_loads, true, Acc>(input, segments, put, draws);
    }
    if (in_all_lanes(taker == segment_taker::long_block)) {
      return take_whole<BlockSize, policy::uneven_unit_loads, false, Acc>(input, segments, put, state.draws);
    }
    if constexpr (stream_shape<In, Acc>::fits) {
      if (in_all_lanes(taker == segment_taker::stream)) {
        return take_streams<BlockSize>(input, segments, put, state.draws.counters);
      }
    }
    if (in_all_lanes(taker == segment_taker::bundle)) {
      return detail::take_bundles<BlockSize>(choice.bundle, input, segments, put);
    }
  }
  const std::int64_t warps = std::int64_t(gridDim.x) * (BlockSize / warp_size);
  const std::int64_t last = item_number(input.last, segments.count);
  const std::int64_t share = warp_share<In, Acc>(last - input.first, warps);
  const auto walk = [&](std::int64_t item, std::int64_t end) {
    return detail::walk_by_warps<BlockSize, Acc>(item, share, end, input, segments, put.op, put);
  };
  GPUPRIM_SHARED(own, item_share);  // in registers it would be in the way of loads
  const int number = detail::number_block(state.blocks);
  if (this_block::thread_rank() == 0) {
    own = item_share::make(number, share * (BlockSize / warp_size), input.first, last);
  }
  this_block::sync();
  detail::reduce_share<BlockSize>(own, segments, put.op, state.blocks.mailboxes, put, walk);
}

}  // namespace gpuprim::detail
