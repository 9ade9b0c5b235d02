// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Segments of one length for groups of neighbouring lanes.
#include <gpuprim/device/segmented/segmented_state.cuh>
#include <gpuprim/device/segmented/segment_rows.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// A group of lanes takes a segment each: as many as the exponent `log2_lanes` says, or as Log2Lanes if that is not
/// negative. Blocks come and go, so that memory is read in order, and have few registers, so that those of the next
/// launch start beside them. Where the operator does not commute, a lane has neighbouring values, and rank 0 joins the
/// lanes in order.
template <int BlockSize, int BlocksPerMultiprocessor, int Log2Lanes, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    groups_kernel(bounded_input<In> input, fixed_segments segments, int log2_lanes, put_segment<Acc, Out, Op> put) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  const int shift = Log2Lanes < 0 ? log2_lanes : Log2Lanes, lanes = 1 << shift;
  const int thread = int(threadIdx.x), rank = thread & (lanes - 1);
  const std::int64_t i = (std::int64_t(blockIdx.x) * BlockSize + thread) >> shift;
  const monoid<Acc, Op> join{put.op};
  const int length = i < segments.count ? int(segments.length) : 0;
  constexpr int loads = Log2Lanes == 0 ? segmented_policy::long_loads : segmented_policy::team_loads;
  constexpr bool in_order = !is_commutative<Op, Acc>;
  constexpr int align = in_order ? 1 : segment_load<In>::items;
  const int share = in_order ? (length + lanes - 1) >> shift : length, from = in_order ? rank * share : 0;
  const int own = length - from < share ? length - from : share;
  // A lane without values may read one.
  const std::int64_t begin = input.first + segments.begin(i < segments.count ? i : segments.count);
  const auto part = detail::read_segment<Acc, loads, align>(in_order ? 0 : rank, in_order ? 1 : lanes, input,
                                                            begin + from, own < 0 ? 0 : own, join);
  const auto total = detail::join_neighbour_lanes(part, lanes, join);
  if (i < segments.count && rank == 0) put(i, length > 0, join.unwrap(total));
}

}  // namespace gpuprim::detail
