// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_list.cuh>

namespace gpuprim::detail {

// Segments that lie anywhere: each has a begin and an end of its own. A first launch reduces the short ones, each by a
// lane or by some lanes of a warp, and lists the long ones.

/// Elements and accumulators of which a warp has room for several segments in registers.
template <class In, class Acc>
inline constexpr bool are_small = sizeof(Acc) <= 8 && sizeof(input_value<In>) <= 8;

/// Rows of 32 segments that a warp looks at together, so that it waits for their bounds once: with 2, 300 values that
/// lie apart 324 us instead of 280.
inline constexpr int bound_rows = 4;

/// Where the segments of some rows lie, of which a lane sees one each.
template <int Rows>
struct seen_rows {
  std::int64_t begin[Rows], end[Rows];

  /// Rows of `width` segments, `step` apart.
  template <class Segments>
  __device__ __forceinline__ static seen_rows look(const Segments& segments, std::int64_t first, int width,
                                                   std::int64_t step = 0) {
    seen_rows seen;
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      const std::int64_t i = first + row * step + int(ptx::lane());
      const bool is_there = int(ptx::lane()) < width && i < segments.count;
      seen.begin[row] = is_there ? segments.begin(i) : 0;
      seen.end[row] = is_there ? segments.end(i) : 0;
    }
    return seen;
  }
};

/// A lane takes one segment of each of some rows of `width` that lie `step` apart, if they are short; says whether it
/// did. The values of two rows are asked for at once: those of one are too few to wait for, and for more there are no
/// registers.
template <int Rows, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ bool take_short_rows(const In& in, const Segments& segments, const seen_rows<Rows>& seen,
                                                std::int64_t first, int width, std::int64_t step,
                                                const put_segment<Acc, Out, Op>& put) {
  using policy = segmented_policy;
  using item_type = typename monoid<Acc, Op>::value_type;
  constexpr int at_once = Rows < 2 ? Rows : 2, batch = Rows < 2 ? 16 : 4;
  int values[Rows], longest = 0, sum = 0, rows = 0;
#pragma unroll
  for (int row = 0; row < Rows; ++row) {
    constexpr int too_many = policy::most_bound_lane_values + 1;
    const std::int64_t length = seen.end[row] - seen.begin[row];
    values[row] = length < 0 ? 0 : length < too_many ? int(length) : too_many;
    longest = values[row] > longest ? values[row] : longest;
    sum += values[row];
    rows += first + row * step < segments.count;
  }
  if (__any_sync(0xffffffffu, longest > policy::most_bound_lane_values)) return false;
  sum = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, sum, plus{});
  if (sum >= policy::most_average_bound_lane_values * rows * width) return false;
  const monoid<Acc, Op> join{put.op};
#pragma unroll
  for (int at = 0; at < Rows; at += at_once) {
    uninitialized_array<item_type, at_once> runs;
#pragma unroll
    for (int row = 0; row < at_once; ++row) runs[row] = join.empty();
    for (int k = 0; k < longest; k += batch) {
      uninitialized_array<item_type, at_once * batch> items;  // with nothing for those that are not there
#pragma unroll
      for (int i = 0; i < at_once * batch; ++i) {
        const int row = at + i / batch, item = k + i % batch;
        items[i] = join.empty();
        if (item < values[row]) items[i] = static_cast<Acc>(in[seen.begin[row] + item]);
      }
#pragma unroll
      for (int i = 0; i < at_once * batch; ++i) runs[i / batch] = join(runs[i / batch], items[i]);
    }
#pragma unroll
    for (int row = 0; row < at_once; ++row) {
      const std::int64_t i = first + (at + row) * step + int(ptx::lane());
      if (int(ptx::lane()) < width && i < segments.count) put(i, values[at + row] > 0, join.unwrap(runs[row]));
    }
  }
  return true;
}

/// A warp looks at a row of `width` segments, and takes those that are short at once. Longer ones are listed, if they
/// have at least so many values; each lane learns whether its own is left out.
template <class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ bool take_row(const In& in, const Segments& segments, const seen_rows<1>& seen,
                                         std::int64_t first, int width, int least_listed,
                                         const put_segment<Acc, Out, Op>& put, const segment_list<Acc>& list) {
  using policy = segmented_policy;
  const warp_tile<warp_size> warp;
  const int lane = int(ptx::lane());
  const std::int64_t i = first + lane;
  const bool is_there = lane < width && i < segments.count;
  const std::int64_t begin = seen.begin[0], length = seen.end[0] - begin;
  const bool is_long = length >= policy::least_listed_values;
  const bool is_listed = length >= least_listed;
  if (is_listed) list.add(i);
  const unsigned wanted = __ballot_sync(0xffffffffu, is_there && !is_long);
  if (in_all_lanes(wanted != 0)) {
    const int values = length < 0 || is_long ? 0 : int(length), n = warp_size - __clz(int(wanted));
    const int average = gpuprim::warp_all_reduce(warp, values, plus{}) / n + 1;
    const int longest = gpuprim::warp_all_reduce(warp, values, maximum{});
    // As many lanes that the longest is read in few rounds too.
    int lanes = make_bundle<In, Acc>(n, longest / 8 < average ? average : longest / 8, 0).lanes;
    while (2 * lanes * n <= warp_size) lanes *= 2;
    const bounded_input<In> input{in, 0, 0};
    take_bundle<Acc, policy::unit_loads>(lane, n, lanes, input, begin, values, first, wanted, put);
  }
  return is_long && !is_listed;
}

/// What samples show of the lengths of a list.
template <class In, class Acc>
struct sampled_lengths {
  using policy = segmented_policy;
  static constexpr int size = sizeof(input_value<In>);
  static constexpr int least_whole = policy::shape_of<Acc>.least_whole_bytes / size;

  int average, longest;

  /// None counts for more than 16 times the least that blocks draw. Each warp looks at the same ones, which are 32:
  /// lists of less than 992 segments may have fewer, but those that are so short are for another kernel.
  template <class Segments>
  __device__ __forceinline__ static sampled_lengths look(const Segments& segments) {
    static_assert(policy::few_segments >= 992);
    constexpr int most = 16 * least_whole;
    const warp_tile<warp_size> warp;
    const unsigned part = unsigned(segments.count) / warp_size | 1;
    const std::int64_t i = ptx::lane() * part;
    const std::int64_t length = i < segments.count ? segments.end(i) - segments.begin(i) : 0;
    const int seen = length < 0 ? 0 : length < most ? int(length) : most;
    return {gpuprim::warp_all_reduce(warp, seen, plus{}) / warp_size,
            gpuprim::warp_all_reduce(warp, seen, maximum{})};
  }
  /// Whether blocks are to draw the segments of a short list: a warp would take too long for the longest.
  GPUPRIM_HOST_DEVICE bool are_for_blocks() const {
    const bool are_uneven = longest >= policy::least_longest_bytes / size;
    return average >= least_whole || (are_uneven && average >= policy::least_uneven_whole_bytes / size);
  }
  /// Whether those need not be alike.
  GPUPRIM_HOST_DEVICE bool may_be_uneven() const { return average >= policy::least_uneven_bytes / size; }
};

/// Blocks draw segments of so many values on average, but list those that are much longer.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_whole_list(const In& in, const Segments& segments,
                                                const sampled_lengths<In, Acc>& lengths,
                                                const put_segment<Acc, Out, Op>& put, const segment_list<Acc>& list) {
  using policy = segmented_policy;
  constexpr int least = policy::least_listed_of_short_list;
  const bounded_input<In> input{in, 0, 0};
  const int least_listed = 4 * lengths.average < least ? least : 4 * lengths.average;
  const auto takes = [&](const whole_segment& one) {
    const bool is_taken = one.length() < least_listed;
    if (!is_taken && threadIdx.x == 0) list.add(one.number);
    return is_taken;
  };
  if (in_all_lanes(!lengths.may_be_uneven())) {
    take_whole<BlockSize, policy::unit_loads, true, Acc>(input, segments, put, list.state.draws, takes);
  } else {
    take_whole<BlockSize, policy::uneven_unit_loads, false, Acc>(input, segments, put, list.state.draws, takes);
  }
}

/// Short lists, of which no warp has more than a row: the first `wider` blocks have one segment more for each warp than
/// the others. What is too long for a warp, the block takes. If segments are long on average, blocks draw them.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    short_list_kernel(In in, Segments segments, int width, int wider, put_segment<Acc, Out, Op> put,
                      segment_list<Acc> list) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  using policy = segmented_policy;
  const int own = int(blockIdx.x), own_width = width + (own < wider);
  const std::int64_t block_first = std::int64_t(own * width + (own < wider ? own : wider)) * (BlockSize / warp_size);
  const std::int64_t first = block_first + int(threadIdx.x) / warp_size * own_width;
  const auto seen = seen_rows<1>::look(segments, first, own_width);  // on its way with the samples
  const auto lengths = sampled_lengths<In, Acc>::look(segments);
  if (in_all_lanes(lengths.are_for_blocks())) return take_whole_list<BlockSize>(in, segments, lengths, put, list);
  bool is_left_out = false;
  bool is_done = first >= segments.count;
  if constexpr (are_small<In, Acc>) {  // more would not fit the registers
    if (!is_done) is_done = detail::take_short_rows(in, segments, seen, first, own_width, 0, put);
  }
  if (in_all_lanes(!is_done)) {
    is_left_out = take_row(in, segments, seen, first, own_width, policy::least_listed_of_short_list, put, list);
  }
  const unsigned left_out = __ballot_sync(0xffffffffu, is_left_out);
  take_left_out<BlockSize, Acc>(block_first, own_width, left_out, bounded_input<In>{in, 0, 0}, segments, put);
}

/// Other lists: a warp takes some rows of 32 in turn.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segment_bounds_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put,
                          segment_list<Acc> list) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  const std::int64_t step = std::int64_t(gridDim.x) * BlockSize;
  std::int64_t first = std::int64_t(blockIdx.x) * BlockSize + threadIdx.x / warp_size * warp_size;
  for (; first < segments.count; first += bound_rows * step) {
    if constexpr (are_small<In, Acc>) {
      const auto seen = seen_rows<bound_rows>::look(segments, first, warp_size, step);
      if (detail::take_short_rows(in, segments, seen, first, warp_size, step, put)) continue;
    }
    for (int row = 0; row < bound_rows && first + row * step < segments.count; ++row) {
      const std::int64_t row_first = first + row * step;
      const auto seen = seen_rows<1>::look(segments, row_first, warp_size);
      take_row(in, segments, seen, row_first, warp_size, segmented_policy::least_listed_values, put, list);
    }
  }
}

}  // namespace gpuprim::detail
