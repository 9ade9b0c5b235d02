// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Segments of one length for lanes: a group of neighbours takes one, or a warp reads a row of several together, where
// the length is a power of two of 16-byte loads.
#include <gpuprim/device/input/reduce_input.cuh>
#include <gpuprim/device/segmented/segment_rows.cuh>
#include <gpuprim/device/segmented/segments.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/warp/join_lanes.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Rows of loads that a warp takes at once.
inline constexpr int segment_unit_rows = 8;

/// Joins each `width` neighbouring rows of a lane into the first rows.
template <class T, class Op>
__device__ __forceinline__ void join_neighbour_rows(uninitialized_array<T, segment_unit_rows>& rows, int width,
                                                    const Op& op) {
#pragma unroll
  for (int joined = 2; joined <= segment_unit_rows; joined *= 2) {
    if (in_all_lanes(joined > width)) break;
#pragma unroll
    for (int i = 0; i < segment_unit_rows / joined; ++i) rows[i] = op(rows[2 * i], rows[2 * i + 1]);
  }
}

/// A segment is some neighbouring lanes of a row, or some whole rows of a unit of 8 rows of 32 loads. Each warp takes
/// one unit: blocks that come and go read memory in order, where blocks that stay drift apart. All divisions are by
/// powers of two, for a thread has little else to do.
template <int BlockSize, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, sizeof(Acc) <= 8 ? max_block_size / BlockSize : 1)
    rows_kernel(reduce_input<In, segment_unit_rows> input, int log_segment_loads, put_segment<Acc, Out, Op> put) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  using input_type = reduce_input<In, segment_unit_rows>;
  constexpr int warps = BlockSize / warp_size;
  constexpr bool commutes = is_commutative<Op, Acc>;
  const warp_tile<warp_size> warp;
  const int lane = int(ptx::lane());
  constexpr int log_warp_size = 5;
  const int log_lanes = log_segment_loads < log_warp_size ? log_segment_loads : log_warp_size;
  const int lanes = 1 << log_lanes, in_row = warp_size >> log_lanes;  // that share a segment; segments
  const int log_width = log_segment_loads - log_lanes;
  const int width = 1 << log_width,
            results = segment_unit_rows >> log_width;  // rows of a segment, and what is left
  const std::int64_t segments = input.loads >> log_segment_loads;
  const std::int64_t unit_segments = input_type::unit_loads >> log_segment_loads;
  const std::int64_t unit = std::int64_t(blockIdx.x) * warps + threadIdx.x / warp_size;
  if (in_all_lanes(unit < input.units())) {
    const bool is_complete = in_all_lanes((unit + 1) * input_type::unit_loads <= input.loads);
    auto rows = is_complete ? detail::load_unit<Acc>(input, unit, put.op)
                            : detail::load_last_unit<Acc>(input, unit, put.op, put.init);
    if constexpr (commutes) detail::join_neighbour_rows(rows, width, put.op);
    for (int bit = 1; in_all_lanes(bit < lanes); bit *= 2) {
#pragma unroll
      for (int row = 0; row < segment_unit_rows; ++row) {
        if (commutes && in_all_lanes(row >= results)) break;
        const Acc other = detail::shuffle_xor(warp, rows[row], unsigned(bit));
        rows[row] = detail::join_partners(rows[row], other, !commutes && (lane & bit), put.op);
      }
    }
    if constexpr (!commutes) detail::join_neighbour_rows(rows, width, put.op);
    // The lanes of a segment all have its result. Each lane writes that of another row, so that stores are whole lines.
    for (int first = 0; first < results; first += lanes) {
      const int row = first + (lane & (lanes - 1));
      Acc result = rows[0];
#pragma unroll
      for (int i = 1; i < segment_unit_rows; ++i) {
        if (i == row) result = rows[i];
      }
      const std::int64_t segment = unit * unit_segments + row * in_row + (lane >> log_lanes);
      if (row < results && segment < segments) put(segment, true, result);
    }
  }
}

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
