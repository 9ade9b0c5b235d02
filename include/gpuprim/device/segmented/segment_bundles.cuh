// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_shares.cuh>

#include <limits>

namespace gpuprim::detail {

// Short lists of segments that are alike, with an operator that commutes: each warp takes some neighbouring ones at
// once, every one with some of its lanes. Nothing is looked for, and nothing mailed.

/// How a warp takes them.
struct segment_bundle {
  int size, lanes;  ///< segments, at most 32; lanes of each, a power of two
  int longest;      ///< values of what they take; of longer ones the whole block does
  int full_blocks = (std::numeric_limits<int>::max)();  ///< blocks behind have a segment less for each warp

  /// Deals `count` segments out to the warps of all blocks, where each has more than it takes in one round.
  GPUPRIM_HOST_DEVICE constexpr void deal_out(int count, int blocks, int block_size) {
    const int warps = block_size / warp_size;
    if (size * lanes > warp_size) full_blocks = (count - (size - 1) * blocks * warps + warps - 1) / warps;
  }
};

/// Values that a lane has under way of a segment of a bundle.
template <class In, class Acc>
inline constexpr int bundle_round = segment_tile_shape<In, Acc>::load_items * segmented_policy::bundle_loads;

/// Lanes that a segment of so many values has: as few as have some loads, but at least so many, powers of two.
template <class In, class Acc>
GPUPRIM_HOST_DEVICE int count_lanes(int values, int least) {
  int lanes = warp_size;
  while (lanes > least && lanes / 2 * bundle_round<In, Acc> >= values) lanes /= 2;
  return lanes;
}

/// At least `size` segments of so many values on average: as few lanes for each as will do, but as many as a load has
/// values, or, of more than two, half as many, and no lane is idle.
template <class In, class Acc>
__device__ segment_bundle make_bundle(int size, int values, int longest) {
  constexpr int items = segment_tile_shape<In, Acc>::load_items;
  const int lanes = count_lanes<In, Acc>(values, size > 2 && items > 1 ? items / 2 : items);
  return {size * lanes < warp_size ? warp_size / lanes : size, lanes, longest};
}

/// What lane `rank` of so many has of `length` values from `from` on; so many loads are under way at once, and those of
/// edges with them, or first UnitLoads while all of these lanes have so many. With HalfLoad, as few lanes may take part
/// as half of a load has values, else as a load. PastL1: loads take no place in the L1 cache.
template <class Acc, int Loads, bool HalfLoad = false, int UnitLoads = 0, bool PastL1 = true, class In, class Op,
          class Join>
__device__ __forceinline__ typename Join::value_type group_part(int rank, int lanes, const bounded_input<In>& input,
                                                               std::int64_t from, int length, const Op& op,
                                                               const Join& join) {
  using shape = segment_tile_shape<In, Acc>;
  using T = typename shape::value_type;
  constexpr int items = shape::load_items;
  int edge = int(input.template align<items>(from + items - 1) - from);
  if (edge > length) edge = length;
  const int count = (length - edge) / items, behind = edge + count * items;
  In in = input.in;
  if constexpr (std::is_pointer_v<In>) {  // fewer registers than with both
    in += from;
    from = 0;
  }
  auto total = join.empty(), tail = join.empty();
  if constexpr (items > 1) {
    if (rank < edge) total = static_cast<Acc>(in[from + rank]);
    if (behind + rank < length) tail = static_cast<Acc>(in[from + behind + rank]);
    if (HalfLoad && in_all_lanes(lanes < items)) {
      const int at = rank + lanes;
      if (at < edge) total = join(total, static_cast<Acc>(in[from + at]));
      if (behind + at < length) tail = join(tail, static_cast<Acc>(in[from + behind + at]));
    }
  }
  const auto load = [&](int at) {
    if constexpr (PastL1) return detail::load_once<T>(in, from + (edge + at * items));
    else return detail::load_as_is<T>(in, from + (edge + at * items));
  };
  int i = rank;
  if constexpr (UnitLoads > 0) {
    for (int unit = lanes * UnitLoads; i - rank + unit <= count; i += unit) {
      typename shape::packet loads[UnitLoads];
#pragma unroll
      for (int k = 0; k < UnitLoads; ++k) loads[k] = load(i + k * lanes);
#pragma unroll
      for (int k = 0; k < UnitLoads; ++k) total = join(total, fold_load<Acc, T>(loads[k], op));
    }
  }
  for (; i < count; i += lanes * Loads) {
    typename shape::packet loads[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      if (i + k * lanes < count) loads[k] = load(i + k * lanes);
    }
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      if (i + k * lanes < count) total = join(total, fold_load<Acc, T>(loads[k], op));
    }
  }
  return join(total, tail);
}

/// A warp takes n segments at once, from `first` on, each with so many of its lanes, and writes the wanted ones. Lane i
/// knows where segment first + i begins and how many values it has.
template <class Acc, int UnitLoads = 0, class In, class Out, class Op>
__device__ __forceinline__ void take_bundle(int lane, int n, int lanes, const bounded_input<In>& input,
                                            std::int64_t begin, int values, std::int64_t first, unsigned wanted,
                                            const put_segment<Acc, Out, Op>& put) {
  const warp_tile<warp_size> warp;
  const monoid<Acc, Op> join{put.op};
  const int rank = lane & (lanes - 1), group = lane / lanes, groups = warp_size / lanes;
  auto own = join.empty();  // of the segment that the lane writes
  for (int round = 0; in_all_lanes(round * groups < n); ++round) {
    const int i = round * groups + group;
    const std::int64_t from = detail::shuffle(warp, begin, i);
    auto total = group_part<Acc, segmented_policy::bundle_loads, true, UnitLoads>(
        rank, lanes, input, from, detail::shuffle(warp, values, i), put.op, join);
    total = join_neighbour_lanes(total, lanes, join);
    if (rank == round) own = total;
  }
  const int i = rank * groups + group;
  const bool present = detail::shuffle(warp, values, i) > 0;
  if (i < n && wanted >> i & 1) put(first + i, present, join.unwrap(own));
}

/// What warps have left out of `size` segments each, from `first` of the block on, one bit each: the whole block takes
/// one after the other.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_left_out(std::int64_t first, int size, unsigned left_out,
                                              const bounded_input<In>& input, const Segments& segments,
                                              const put_segment<Acc, Out, Op>& put) {
  constexpr int warps = BlockSize / warp_size;
  GPUPRIM_SHARED(all_left_out, shared_array<unsigned, warps>);
  const this_block block;
  const monoid<Acc, Op> join{put.op};
  const int rank = int(block.thread_rank());
  if (rank % warp_size == 0) all_left_out[rank / warp_size] = left_out;
  if (!block.any(left_out != 0)) return;
#pragma unroll 1
  for (int at = 0; at < warps; ++at) {
    for (unsigned those = all_left_out[at]; those != 0; those &= those - 1) {
      const std::int64_t i = first + at * size + __ffs(int(those)) - 1;
      const auto total = reduce_part<BlockSize, Acc, segmented_policy::uneven_unit_loads>(
          input, segments.begin(i), segments.end(i), put.op, join);
      if (rank == 0) put(i, true, join.unwrap(total));
    }
  }
  block.sync();  // all have seen what is left out, before their block may come again
}

/// Where a thread looks at a list: at segment `own`, where the next thread has own + step; a block sees all of it.
struct sample_place {
  std::int64_t own, step;

  /// The step is odd, for samples at distances of a power of two, as lists of such lengths would have, are slow: 4000
  /// of 64 values 3.3 us instead of 2.85.
  template <int BlockSize>
  __device__ static sample_place of_block(std::int64_t count) {
    const std::int64_t step = ((count - 1) / BlockSize + 1) | 1;
    return {int(threadIdx.x) * step, step};  // the rank in the block would stay in a register that streams do not have
  }
};

/// What it sees there, on its way: where a segment begins and ends, and where that of the next thread begins, if this
/// is the last of a warp.
struct segment_sample {
  std::int64_t begin, end, next_begin;

  /// Past the last segment, all is empty. Without its end, if nobody asks for its length: that would take 1.4 us.
  template <class Segments>
  __device__ static segment_sample ask(const Segments& segments, const sample_place& at, bool with_end = true) {
    const auto begin = [&](std::int64_t k) { return segments.begin(k < segments.count ? k : segments.count); };
    const std::int64_t own = begin(at.own);
    return {own, with_end ? begin(at.own + 1) : own, ptx::lane() == warp_size - 1 ? begin(at.own + at.step) : 0};
  }
  __device__ std::int64_t length() const { return end - begin; }
  /// The values from its begin to that of the next thread's. The whole warp calls it.
  __device__ std::int64_t part_values() const {
    const std::int64_t next = detail::shuffle_down(warp_tile<warp_size>{}, begin, 1);
    return (ptx::lane() == warp_size - 1 ? next_begin : next) - begin;
  }
};

/// Values that so many warps take in bundles, at most.
template <class In, class Acc>
__device__ __forceinline__ std::int64_t most_bundle_values(std::int64_t warps) {
  return segment_tile_shape<In, Acc>::unit_values * segmented_policy::bundle_units * warps;
}

/// How segments are taken: in shares of values and segments, in bundles, as streams, or whole by blocks: two neighbours
/// where all are even, those that are alike, or of short lists, and long ones.
enum class segment_taker { share, bundle, stream, even_block, alike_block, long_block };

/// Who takes them, and if bundles do, which.
struct segment_choice {
  segment_taker taker;
  segment_bundle bundle{};
};

/// Bundles, in which the warps of the grid take all segments at once; but blocks if samples show that warps would take
/// too long, and shares if there are too many values, or segments that are much longer than others. The whole block
/// calls it.
template <int BlockSize, class In, class Acc, class Segments>
__device__ __forceinline__ segment_choice choose_bundle(const Segments& segments, std::int64_t values,
                                                         const sample_place& at) {
  using policy = segmented_policy;
  constexpr int element = sizeof(input_value<In>);
  const std::int64_t count = segments.count, warps = std::int64_t(gridDim.x) * (BlockSize / warp_size);
  const std::int64_t most_values = most_bundle_values<In, Acc>(warps);
  if (count <= policy::few_segments || count > warp_size * warps || values > most_values) {
    return {segment_taker::share};
  }
  const int average = int(unsigned(values) / unsigned(count)) + 1;
  const auto seen = segment_sample::ask(segments, at);
  const int part = int(at.step);
  const std::int64_t length = seen.length(), part_values = seen.part_values();
  // Blocks, which take what is long on average, do not mind what is several times longer.
  const bool may_be_for_blocks = average >= policy::least_uneven_whole_bytes / element;
  const bool are_few = values <= policy::few_bundle_values;
  const int alike = policy::most_bundle_ratio * average, most_extra = are_few ? policy::most_bundle_extra : 0;
  const int most = (alike < most_extra ? most_extra : alike) << int(may_be_for_blocks);
  const int most_segments = part + (may_be_for_blocks ? part : part / 4);
  const bool is_too_long = length > most || part_values > std::int64_t{most_segments} * average + most;
  const bool is_for_block = may_be_for_blocks && length >= policy::least_longest_bytes / element;
  const int size = int(unsigned(count - 1) / unsigned(warps)) + 1;
  int longest = 2 * average < policy::most_bundle_warp_values ? policy::most_bundle_warp_values : 2 * average;
  if (longest > policy::most_lanes_ratio * average) longest = policy::most_lanes_ratio * average;
  segment_bundle bundle = make_bundle<In, Acc>(size, average, longest);
  const bool is_too_long_for_lanes = length > policy::most_lane_rounds * bundle.lanes * bundle_round<In, Acc>;
  if (in_all_lanes(this_block::any(is_too_long || is_for_block || is_too_long_for_lanes))) {  // mostly it is none
    if (in_all_lanes(this_block::any(is_too_long))) return {segment_taker::share};
    if (in_all_lanes(this_block::any(is_for_block))) return {segment_taker::alike_block};
    bundle.size = size;  // no warp has more than others, and as many lanes as fit
    while (2 * bundle.lanes * size <= warp_size) bundle.lanes *= 2;
  }
  bundle.deal_out(int(count), int(gridDim.x), BlockSize);
  return {segment_taker::bundle, bundle};
}

/// Each warp takes a bundle.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_bundles(segment_bundle bundle, const bounded_input<In>& input,
                                             const Segments& segments, const put_segment<Acc, Out, Op>& put) {
  constexpr int warps = BlockSize / warp_size;
  const this_block block;
  const warp_tile<warp_size> warp;
  const int thread = int(block.thread_rank()), lane = thread % warp_size;
  const int number = int(blockIdx.x), before = number < bundle.full_blocks ? 0 : number - bundle.full_blocks;
  const int size = bundle.size - (number >= bundle.full_blocks);
  const std::int64_t block_first = (std::int64_t(number) * bundle.size - before) * warps;
  const std::int64_t first = block_first + detail::shuffle(warp, thread / warp_size, 0) * size;
  const std::int64_t left = segments.count - first;
  const int n = left < size ? int(left) : size;  // of the last warps, none or less
  std::int64_t begin = 0, length = 0;
  if (lane < n) {
    begin = segments.begin(first + lane);
    length = segments.end(first + lane) - begin;
  }
  // Lanes need some rounds for a long one, but all lanes at once; then all lanes take what they read in few rounds, one
  // by one, and the block what is longer.
  using policy = segmented_policy;
  constexpr int round = bundle_round<In, Acc>;
  int longest = bundle.longest;
  unsigned are_long = __ballot_sync(0xffffffffu, length > longest);
  const int least = bundle.lanes * round * policy::bundle_rounds * __popc(are_long);
  if (in_all_lanes(longest < least)) {
    longest = least;
    are_long = __ballot_sync(0xffffffffu, length > longest);
  }
  const int values = length > longest ? 0 : int(length);
  take_bundle(lane, n, bundle.lanes, input, begin, values, first, ~are_long, put);
  if (in_all_lanes(are_long != 0)) {
    constexpr int most_alone = policy::most_alone_rounds * warp_size * round;
    unsigned alone = __ballot_sync(0xffffffffu, length > longest && length <= most_alone);
    are_long &= ~alone;
    for (; in_all_lanes(alone != 0); alone &= alone - 1) {
      const int at = __ffs(int(alone)) - 1;
      const std::int64_t from = detail::shuffle(warp, begin, at);
      take_bundle(lane, 1, warp_size, input, from, detail::shuffle(warp, int(length), at), first + at, 1u, put);
    }
  }
  take_left_out<BlockSize, Acc>(block_first, size, are_long, input, segments, put);
}

}  // namespace gpuprim::detail
