// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/segmented_kernel.cuh>

namespace gpuprim::detail {

// Segments that lie anywhere: each has a begin and an end of its own. A first launch reduces the short ones, each by a
// lane, some lanes or a warp, and lists the long ones; a second shares all blocks out among these.

/// Values up to which a lane takes a segment alone.
inline constexpr std::int64_t most_lane_values = segmented_policy::most_lane_values;

/// Elements and accumulators of which a warp has room for several segments in registers.
template <class In, class Acc>
inline constexpr bool are_small = sizeof(Acc) <= 8 && sizeof(input_value<In>) <= 8;

/// Rows of up to 32 short segments that a warp takes at once.
inline constexpr int short_rows = 4;

/// The list, in a zeroed buffer that is zero again after the second launch.
template <class Acc>
struct segment_list {
  unsigned* count;
  unsigned* finished;  ///< blocks
  grid_reduce_state<Acc> state;
  std::int64_t* segments;

  static constexpr int max_blocks = 2048;
  static constexpr std::int64_t bytes(std::int64_t segments) {
    return 64 + (grid_reduce_bytes<Acc>(max_blocks) + 7) / 8 * 8 + segments * 8;
  }
  static segment_list lay_over(void* buffer) {
    char* bytes = static_cast<char*>(buffer);
    return {reinterpret_cast<unsigned*>(bytes), reinterpret_cast<unsigned*>(bytes) + 1,
            make_grid_reduce_state<Acc>(bytes + 64),
            reinterpret_cast<std::int64_t*>(bytes + 64 + (grid_reduce_bytes<Acc>(max_blocks) + 7) / 8 * 8)};
  }
};

/// The segments of a list.
template <class Begins, class Ends>
struct listed_segments {
  Begins begins;
  Ends ends;
  const std::int64_t* list;
  std::int64_t count;

  __device__ std::int64_t begin(std::int64_t k) const { return static_cast<std::int64_t>(begins[list[k]]); }
  __device__ std::int64_t end(std::int64_t k) const { return static_cast<std::int64_t>(ends[list[k]]); }
};

/// Writes the result of a listed segment, and empties its place in the list.
template <class Acc, class Out, class Op>
struct put_listed : put_segment<Acc, Out, Op> {
  std::int64_t* list;

  __device__ void operator()(std::int64_t k, bool present, const Acc& result) const {
    put_segment<Acc, Out, Op>::operator()(list[k], present, result);
    list[k] = 0;
  }
};

/// A lane takes one segment of each of some rows of `width` that lie `step` apart, if none has more values than a lane
/// shall take alone; says whether it did. The values of all rows are asked for at once: those of one are too few to
/// wait for.
template <class Acc, class In, class Begins, class Ends, class Out, class Op>
__device__ __forceinline__ bool take_short_rows(const In& in, const Begins& begins, const Ends& ends,
                                                std::int64_t first, int width, std::int64_t step, std::int64_t count,
                                                const put_segment<Acc, Out, Op>& put) {
  using T = input_value<In>;
  constexpr int rows = short_rows, batch = 4;
  std::int64_t begin[rows], end[rows];
  int values[rows], longest = 0;
  const auto place = [=](int row) {
    const std::int64_t i = first + row * step + int(ptx::lane());
    return int(ptx::lane()) < width && i < count ? i : -1;
  };
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const std::int64_t i = place(row);
    begin[row] = i >= 0 ? static_cast<std::int64_t>(begins[i]) : 0;
    end[row] = i >= 0 ? static_cast<std::int64_t>(ends[i]) : 0;
  }
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const std::int64_t length = end[row] - begin[row];
    values[row] = length < 0 ? 0 : length > most_lane_values ? int(most_lane_values) + 1 : int(length);
    longest = values[row] > longest ? values[row] : longest;
  }
  if (__any_sync(0xffffffffu, longest > most_lane_values)) return false;
  uninitialized_array<Acc, rows> runs;
#pragma unroll
  for (int row = 0; row < rows; ++row) runs[row] = put.init;
  for (int k = 0; k < longest; k += batch) {
    uninitialized_array<T, rows * batch> items;
#pragma unroll
    for (int i = 0; i < rows * batch; ++i) {
      if (k + i % batch < values[i / batch]) items[i] = in[begin[i / batch] + k + i % batch];
    }
#pragma unroll
    for (int i = 0; i < rows * batch; ++i) {
      if (k + i % batch >= values[i / batch]) continue;
      const Acc item = static_cast<Acc>(items[i]);
      runs[i / batch] = k + i % batch == 0 ? item : put.op(runs[i / batch], item);
    }
  }
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const std::int64_t i = place(row);
    if (i >= 0) put(i, values[row] > 0, runs[row]);
  }
  return true;
}

/// A warp looks at `width` segments, at most 32. 4 blocks fit a multiprocessor (128 registers): with 141 registers, and
/// 3 of them, 100 values take 436 us instead of 362.
template <int BlockSize, class Acc, class In, class Begins, class Ends, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, are_small<In, Acc> ? 4 : 1)
    short_segments_kernel(In in, Begins begins, Ends ends, std::int64_t count, int width, put_segment<Acc, Out, Op> put,
                          segment_list<Acc> list) {
  check_segmented_operator<Acc, Op>();
  using scratch_type = segment_scratch<In, Acc>;
  GPUPRIM_SHARED(scratch, scratch_type[BlockSize / warp_size]);
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  const warp_tile<warp_size> warp;
  const int in_block = int(threadIdx.x) / warp_size, lane = int(ptx::lane());
  const int block_segments = BlockSize / warp_size * width;
  const std::int64_t step = std::int64_t(gridDim.x) * block_segments;
  // Not `put` itself, whose results a tile would hold back: for these segments that is slower.
  const auto put_at_once = [&](std::int64_t i, bool present, const Acc& result) { put(i, present, result); };
  const bool is_short_list = is_commutative<Op, Acc> && in_all_lanes(width < warp_size);
  // Of short lists no warp has more than one row, so that the block can take together what is too long for a warp.
  using policy = segmented_policy;
  const std::int64_t least_listed = is_short_list ? policy::least_listed_of_short_list : policy::least_listed_values;
  unsigned left_out = 0;
  const auto take_row = [&](std::int64_t first) {
    const std::int64_t i = first + lane;
    std::int64_t begin = 0, values = -1;  // of lanes that have no segment
    bool is_backward = false;
    if (lane < width && i < count) {
      begin = static_cast<std::int64_t>(begins[i]);
      values = static_cast<std::int64_t>(ends[i]) - begin;
      is_backward = values < 0;
      if (is_backward) values = 0;
    }
    if (values >= least_listed) list.segments[atomicAdd(list.count, 1u)] = i;
    const bool is_short = values >= 0 && values <= most_lane_values, is_long = values >= policy::least_listed_values;
    if (is_short_list) left_out = __ballot_sync(0xffffffffu, is_long && values < least_listed);
    const unsigned others = __ballot_sync(0xffffffffu, values >= 0 && !is_short && !is_long);
    if constexpr (is_commutative<Op, Acc>) {
      // Short lists, of which no warp would have much to do, and segments that lie apart, which a tile each would cost.
      const unsigned present = __ballot_sync(0xffffffffu, values >= 0 && !is_long);
      const std::int64_t before = shuffle_up(begin + values, 1);
      const unsigned apart = __ballot_sync(0xffffffffu, lane > 0 && values >= 0 && begin != before);
      const int n = warp_size - __clz(int(present));
      const bool are_apart = 4 * (__popc(apart) + 1) >= n;
      if (in_all_lanes(others != 0 && (are_apart || is_short_list))) {
        constexpr int most = segment_tile_shape<In, Acc>::unit_values * policy::bundle_units;
        const int own = values < 0 || is_long ? 0 : int(values), sum = warp_all_reduce(warp, own, plus{});
        if (in_all_lanes(are_apart || sum <= most)) {
          // As many lanes that the longest is read in few rounds too.
          const int average = sum / n + 1, longest = warp_all_reduce(warp, own, maximum{});
          int lanes = make_bundle<In, Acc>(n, longest / 8 < average ? average : longest / 8, 0).lanes;
          while (2 * lanes * n <= warp_size) lanes *= 2;
          take_bundle(lane, n, lanes, bounded_input<In>{in, 0, 0}, begin, own, first, present, put);
          return;
        }
      }
    }
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
    const std::int64_t end_before = shuffle_up(is_taken ? begin + values : std::int64_t{-1}, 1);
    const bool follows = is_taken && lane > 0 && begin == end_before;
    const unsigned followers = __ballot_sync(0xffffffffu, follows);
    unsigned rest = __ballot_sync(0xffffffffu, is_taken && !follows);
    for (; rest != 0; rest &= rest - 1) {
      const int leader = __ffs(int(rest)) - 1, last = leader + __ffs(int(~(followers >> leader >> 1))) - 1;
      const std::int64_t from = shuffle(warp, begin, leader), to = shuffle(warp, begin + values, last);
      segment_walk<Acc> walk{};
      walk.segment = first + leader;
      walk.value = from;
      walk.end = item_number(to, first + last + 1);
      take_share(walk, bounded_input<In>{in, from, to}, offset_segments<Ends, 0>{ends, first + last + 1}, put.op,
                 scratch[in_block], put_at_once);
      if (lane == 0) put(first + leader, walk.head.present, walk.head.value);
    }
  };
  const std::int64_t block_first = std::int64_t(blockIdx.x) * block_segments;
  for (std::int64_t first = block_first + in_block * width; first < count; first += short_rows * step) {
    if constexpr (are_small<In, Acc>) {  // more would not fit the registers
      if (take_short_rows<Acc>(in, begins, ends, first, width, step, count, put)) continue;
    }
    for (int row = 0; row < short_rows && first + row * step < count; ++row) take_row(first + row * step);
  }
  if constexpr (is_commutative<Op, Acc>) {
    if (!is_short_list) return;
    take_left_out<BlockSize, Acc>(block_first, width, left_out, bounded_input<In>{in, 0, 0},
                                  bound_segments<Begins, Ends>{begins, ends, count}, put);
  }
}

/// Teams of so many blocks take the listed ones in turn. Teams of one block empty the list as they go.
template <int BlockSize, class Acc, class In, class Begins, class Ends, class Out, class Op>
__device__ __forceinline__ void take_by_teams(int team_blocks, const In& in,
                                              const listed_segments<Begins, Ends>& listed,
                                              const put_segment<Acc, Out, Op>& put, const segment_list<Acc>& list) {
  const this_block block;
  const int own = number_block(list.state), teams = int(gridDim.x) / team_blocks;
  const int team = own / team_blocks, in_team = own % team_blocks;
  for (std::int64_t k = team; team < teams && k < listed.count; k += teams) {
    const std::int64_t segment = list.segments[k], begin = listed.begin(k);
    const fixed_segments one{begin, listed.end(k) - begin, 1};
    const std::int64_t items = item_number(one.length, one.count);
    const std::int64_t share = warp_share<In, Acc>(items, std::int64_t(team_blocks) * (BlockSize / warp_size));
    const bounded_input<In> input{in, begin, one.last()};
    const auto put_one = [&](std::int64_t, bool present, const Acc& result) { put(segment, present, result); };
    const auto walk = [&](std::int64_t item, std::int64_t end) {
      return walk_share<BlockSize, Acc>(item, share, end, input, one, one.count, put.op, put_one);
    };
    const item_share own_share(in_team, share * (BlockSize / warp_size), begin, begin + items);
    reduce_share<BlockSize>(own_share, one, put.op, list.state.mailboxes + team * team_blocks, put_one, walk);
    block.sync();
    if (team_blocks == 1 && block.thread_rank() == 0) list.segments[k] = 0;
  }
}

/// Teams of as many blocks as there are for each segment, or blocks that draw one after the other; what a segment gives
/// depends on how many are listed, not on their order in the list.
template <int BlockSize, class Acc, class In, class Begins, class Ends, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, 1)
    long_segments_kernel(In in, Begins begins, Ends ends, put_segment<Acc, Out, Op> put, segment_list<Acc> list) {
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  const this_block block;
  const int rank = int(block.thread_rank());
  const unsigned count = *list.count, blocks = gridDim.x;
  if (count == 0) return;
  const listed_segments<Begins, Ends> listed{begins, ends, list.segments, count};
  const int team_blocks = count < blocks ? int(blocks / count) : 1;
  if (is_commutative<Op, Acc> && in_all_lanes(count >= blocks)) {
    if constexpr (is_commutative<Op, Acc>) {
      take_whole<BlockSize, segmented_policy::uneven_unit_loads, Acc>(
          bounded_input<In>{in, 0, 0}, listed, put_listed<Acc, Out, Op>{put, list.segments}, list.state.arrivals);
    }
  } else {
    take_by_teams<BlockSize>(team_blocks, in, listed, put, list);
  }
  // The last block to finish empties what others may have read until then.
  GPUPRIM_SHARED(is_last, bool);
  block.sync();
  if (rank == 0) {
    __threadfence();
    is_last = atomicInc(list.finished, blocks - 1) == blocks - 1;
    __threadfence();  // what all have read, before the count; the count, before what is emptied
    if (is_last) *list.count = 0;
  }
  block.sync();
  if (!is_last || team_blocks == 1) return;
  for (unsigned k = unsigned(rank); k < count; k += BlockSize) list.segments[k] = 0;
}

}  // namespace gpuprim::detail
