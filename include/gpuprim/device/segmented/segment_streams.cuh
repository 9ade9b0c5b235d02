// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_bundles.cuh>
#include <gpuprim/device/segmented/segment_draws.cuh>

namespace gpuprim::detail {

// Long lists of segments that are alike, with an operator that commutes: warps read neighbouring ones as one stream of
// rows, whatever ends in them. Blocks draw what they read.

/// A place behind all of a stream.
inline constexpr int behind_stream = 1 << 30;

/// Rows of loads that bring a stream.
template <class In, class Acc>
struct stream_shape {
  using value_type = input_value<In>;
  static constexpr int items = elements_per_load<value_type>, row = warp_size * items;
  /// That are under way at once.
  static constexpr int rows = segmented_policy::shape_of<Acc>.stream_rows;
  static constexpr int sector = 32 / int(sizeof(value_type));
  /// Streams are read by whole loads.
  static constexpr bool fits = std::is_pointer_v<In> && load_bytes % sizeof(value_type) == 0;
};

/// A warp reduces the n segments of a stream, of which lane i knows where segment i ends. Places count from `from`,
/// where a load begins; the first segment begins at `begin`, the last one ends at `stop`. Lane i gets the result of
/// segment i.
template <class Shape, class Acc, class Op>
__device__ __forceinline__ typename monoid<Acc, Op>::value_type reduce_stream(const typename Shape::value_type* from,
                                                                             int begin, int stop, int n, int own_end,
                                                                             const Op& op) {
  using T = typename Shape::value_type;
  constexpr int items = Shape::items, row = Shape::row, rows = Shape::rows;
  const warp_tile<warp_size> warp;
  const monoid<Acc, Op> join{op};
  const int lane = int(ptx::lane()), shift = lane * items;
  auto own = join.empty(), total = join.empty();
  int open = 0, end = detail::shuffle(warp, own_end, 0);
  from += shift;
#pragma unroll 1
  for (int at = 0; in_all_lanes(at < stop); at += rows * row) {
    uint4 loads[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      if (at + i * row + shift < stop) loads[i] = ptx::load_past_l1(from + (at + i * row));
    }
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const int first = at + i * row, behind = first + row;
      if (in_all_lanes(begin <= first && behind < end)) {
        total = join(total, fold_load<Acc, T>(loads[i], op));
        continue;
      }
      const auto values = unpack<T>(loads[i]);
      for (;;) {  // what ends in this row
#pragma unroll
        for (int k = 0; k < items; ++k) {
          const int place = first + shift + k;
          if (begin <= place && place < end) total = join(total, static_cast<Acc>(values[k]));
        }
        if (in_all_lanes(behind < end)) break;
        total = gpuprim::warp_all_reduce(warp, total, join);
        if (lane == open) own = total;
        total = join.empty();
        begin = end;
        end = detail::shuffle(warp, own_end, ++open % warp_size);
        if (in_all_lanes(open == n)) begin = end = behind_stream;
      }
    }
  }
  return own;
}

/// How a list is drawn, in chunks of as many segments for each warp of a block, but of the last ones fewer, so that
/// blocks end at about the same time.
struct stream_plan {
  unsigned count, numbers, wide;  ///< segments; chunks; large ones
  int size, last_size;            ///< segments of a warp in a large one, and in one of the last

  /// Of so many segments of so many bytes on average.
  __device__ static stream_plan make(unsigned count, std::int64_t average_bytes, unsigned warps) {
    using policy = segmented_policy;
    const unsigned grid = gridDim.x, most_even = count / (grid * warps * policy::least_chunks);
    int size = policy::most_stream_segments;
    while (size > 1 && (size * average_bytes > policy::stream_bytes || unsigned(size) > most_even)) size /= 2;
    const int last_size = size < 4 ? 1 : size / 4;
    const unsigned chunk = warps * size, last_chunk = warps * last_size, chunks = (count - 1) / chunk + 1;
    const bool is_cut = chunks > policy::least_cut_chunks * grid && size > 1;
    const unsigned wide = is_cut ? chunks - grid : chunks, left = is_cut ? count - wide * chunk : 0;
    return {count, wide + (left + last_chunk - 1) / last_chunk, wide, size, last_size};
  }
};

/// Joins to the result of the calling lane's segment what whole loads have left out of it: before the first load of the
/// first stream, and behind the last load of the last one.
template <class Acc, class In, class Segments, class Join>
__device__ __forceinline__ typename Join::value_type join_stream_edges(typename Join::value_type own,
                                                                      const bounded_input<In>& input,
                                                                      const Segments& segments, unsigned first, int n,
                                                                      unsigned count, const Join& join) {
  using shape = stream_shape<In, Acc>;
  const unsigned segment = first + unsigned(ptx::lane());
  const std::int64_t begin = segments.begin(segment), end = segments.end(segment);
  std::int64_t head = begin, tail = end;
  if (first == 0) head = input.template align<shape::items>(input.first + shape::items - 1);
  if (first + n == count) tail = input.template align<shape::items>(input.last);
  if (tail < head) tail = head;
  for (std::int64_t i = begin; i < end && i < head; ++i) own = join(own, static_cast<Acc>(input.in[i]));
  for (std::int64_t i = begin < tail ? tail : begin; i < end; ++i) own = join(own, static_cast<Acc>(input.in[i]));
  return own;
}

/// Blocks draw chunks and take them.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_streams(const bounded_input<In>& input, const Segments& segments,
                                             const put_segment<Acc, Out, Op>& put, unsigned* drawn) {
  using shape = stream_shape<In, Acc>;
  constexpr unsigned warps = BlockSize / warp_size;
  GPUPRIM_SHARED(plan, stream_plan);  // in registers it would be in the way of what is under way
  GPUPRIM_SHARED(next, shared_array<unsigned, 2>);
  const this_block block;
  const warp_tile<warp_size> warp;
  const monoid<Acc, Op> join{put.op};
  const int rank = int(block.thread_rank()), lane = rank % warp_size;
  if (rank == 0) {
    const std::int64_t average = (input.last - input.first) / segments.count;
    plan = stream_plan::make(unsigned(segments.count), average * int(sizeof(input_value<In>)), warps);
  }
  block.sync();
  unsigned number = blockIdx.x;
  for (int odd = 0; in_all_lanes(number < plan.numbers); number = next[odd], odd ^= 1) {
    const unsigned wide = plan.wide, behind = number < wide ? 0 : number - wide;
    const int size = number < wide ? plan.size : plan.last_size;
    const unsigned block_first = ((number - behind) * plan.size + behind * plan.last_size) * warps;
    const unsigned first = block_first + unsigned(rank / warp_size * size);
    const int n = first >= plan.count ? 0 : plan.count - first < unsigned(size) ? int(plan.count - first) : size;
    unsigned left_out = 0;
    if (in_all_lanes(n > 0)) {
      const std::int64_t own_begin = segments.begin(first + (lane < n ? lane : n)), stop = segments.begin(first + n);
      const std::int64_t stream = detail::shuffle(warp, own_begin, 0);
      if (in_all_lanes(stop - stream > segmented_policy::most_stream_values)) {
        const std::int64_t next_begin = detail::shuffle_down(warp, own_begin, 1);
        left_out = __ballot_sync(0xffffffffu, lane < n && own_begin < (lane < n - 1 ? next_begin : stop));
        if (lane < n && !(left_out >> lane & 1)) put(first + lane, false, put.init);
      } else {
        // Whole loads must not reach over the edges of all; what is left out there lanes read by themselves.
        const bool is_first = in_all_lanes(first == 0), is_last = in_all_lanes(first + n == plan.count);
        const std::int64_t origin = is_first ? input.template align<shape::items>(stream + shape::items - 1)
                                             : input.template align<shape::sector>(stream);
        const int begin = int(own_begin - origin), next_begin = detail::shuffle_down(warp, begin, 1);
        const int end = lane < n - 1 ? next_begin : int(stop - origin), head = is_first ? 0 : int(stream - origin);
        int tail = is_last ? int(stop - origin) & -shape::items : int(stop - origin);
        if (tail < head) tail = head;
        const bool has_values = begin < end;
        auto own = reduce_stream<shape, Acc>(input.in + origin, head, tail, n, end < tail ? end : tail, put.op);
        if (in_all_lanes(first == 0 || first + n == plan.count) && lane < n) {
          // All anew: what is kept meanwhile would be in the way.
          own = join_stream_edges<Acc>(own, input, segments, first, n, plan.count, join);
        }
        if (lane < n) put(first + lane, has_values, join.unwrap(own));
      }
    }
    if (rank == 0) next[odd] = draw(plan.numbers, drawn);
    take_left_out<BlockSize, Acc>(block_first, size, left_out, input, segments, put);
  }
}

}  // namespace gpuprim::detail
