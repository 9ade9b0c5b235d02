// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/segmented_kernel.cuh>
#include <gpuprim/policy/reduce_policy.hpp>
#include <gpuprim/warp/join_lanes.cuh>

#include <cstdint>

namespace gpuprim::detail {

// Few segments, with an operator that commutes. Warps take short ones, blocks long ones. Those that are long beside
// what a block has to read, or so long that blocks would have nothing left to take in the end, are cut into parts: such
// a segment has a mailbox for each, and whoever takes the last joins them, who need not wait for one that nobody has
// taken.

/// Where parts meet, in a zeroed buffer that is zero again after the launch.
template <class Acc>
struct few_segments_state {
  mailbox<Acc>* mailboxes;  ///< of parts
  unsigned* arrivals;       ///< of segments
  unsigned* drawn;          ///< segments, or parts

  /// Parts that a block takes, about: fewer where mail is large.
  static constexpr bool is_small = sizeof(Acc) <= 8;
  static constexpr int few_per_block = is_small ? segmented_policy::few_parts_per_block : 1;
  static constexpr int most_per_block = is_small ? segmented_policy::most_parts_per_block : 1;
  static constexpr std::int64_t most_parts(std::int64_t segments, std::int64_t blocks) {
    return segments + blocks * most_per_block;
  }
  static constexpr std::int64_t bytes(std::int64_t segments, std::int64_t blocks) {
    return 64 + most_parts(segments, blocks) * std::int64_t(sizeof(mailbox<Acc>)) + segments * 4;
  }
  static few_segments_state lay_over(void* buffer, std::int64_t segments, std::int64_t blocks) {
    auto* const boxes = reinterpret_cast<mailbox<Acc>*>(static_cast<char*>(buffer) + 64);
    return {boxes, reinterpret_cast<unsigned*>(boxes + most_parts(segments, blocks)), static_cast<unsigned*>(buffer)};
  }
};

/// Values in the units of a block's warps.
template <class In, class Acc, int BlockSize>
inline constexpr std::int64_t block_unit = segment_tile_shape<In, Acc>::unit_values * (BlockSize / warp_size);

/// The most values of a part that give each of so many blocks a number of them, in whole units. No division of 64 bits:
/// short lists would feel it.
template <std::int64_t Unit>
__device__ __forceinline__ std::int64_t part_values(std::int64_t values, int per_block, int blocks) {
  return (unsigned(values / Unit) / unsigned(per_block * blocks) + 1) * Unit;
}

/// Parts of so many values, whole units, that a segment is cut into.
template <std::int64_t Unit>
__device__ __forceinline__ unsigned count_parts(std::int64_t length, std::int64_t values) {
  return length > values ? unsigned((length - 1) / Unit) / unsigned(values / Unit) + 1 : 1;
}

/// The same of long lists: more parts where those of segments of one length would leave blocks without work in the end,
/// unless one segment has most of the values, which few are better joined of.
template <class Acc, std::int64_t Unit>
__device__ __forceinline__ std::int64_t choose_part_values(std::int64_t segments, std::int64_t values,
                                                           std::int64_t longest, int blocks) {
  using state = few_segments_state<Acc>;
  const std::int64_t most = part_values<Unit>(values, state::few_per_block, blocks);
  const unsigned rounds = (unsigned(segments) * count_parts<Unit>(longest, most) - 1) / unsigned(blocks) + 1;
  const bool is_even = rounds * most * blocks <= values + values / 16;
  return is_even || 2 * longest > values ? most : part_values<Unit>(values, state::most_per_block, blocks);
}

/// A part of a segment: its values, its number among the parts of all, and where it stands in its own.
struct segment_part {
  std::int64_t begin, end;
  int number, segment, index, count;
};

/// The longest segment of those that a thread of the block looks at, which together are all.
template <int BlockSize, class Segments>
__device__ __forceinline__ std::int64_t find_longest(const Segments& segments) {
  constexpr int rows = 4;  // that are asked for at once: with 8, 1000 of 64 values 3.2 us instead of 2.9
  std::int64_t longest = 0;
  for (int first = int(this_block::thread_rank()); first < segments.count; first += rows * BlockSize) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const int i = first + row * BlockSize;
      const std::int64_t length = i < segments.count ? segments.end(i) - segments.begin(i) : 0;
      if (longest < length) longest = length;
    }
  }
  return longest;
}

/// The values of all segments. The whole block calls it.
template <int BlockSize, class Segments>
__device__ __forceinline__ std::int64_t count_values(const Segments& segments) {
  if constexpr (requires { segments.last(); }) {
    return segments.last() - segments.first();
  } else {
    std::int64_t values = 0;
    for (int i = int(this_block::thread_rank()); i < segments.count; i += BlockSize) {
      const std::int64_t length = segments.end(i) - segments.begin(i);
      if (length > 0) values += length;
    }
    return block_all_reduce<BlockSize>(this_block{}, values, plus{});
  }
}

/// Parts of at most `values` values of few segments by offsets, without those of segments that have no more than
/// `short_values`. Each block counts those of all.
template <int BlockSize, std::int64_t Unit, class Segments>
class part_list {
  static constexpr int most_segments = segmented_policy::few_segments;
  using number = std::uint16_t;
  static_assert(most_segments + max_reduce_blocks * segmented_policy::most_parts_per_block < 65536);

 public:
  /// The whole block calls it.
  __device__ part_list(const Segments& all, std::int64_t values, std::int64_t short_values)
      : segments_(int(all.count)) {
    constexpr int warps = BlockSize / warp_size, most_groups = (most_segments + BlockSize - 1) / BlockSize * warps;
    GPUPRIM_SHARED(before, shared_array<number, most_segments + 1>);
    GPUPRIM_SHARED(groups, shared_array<int, most_groups>);  // of 32 segments
    const this_block block;
    const int rank = int(block.thread_rank()), lane = rank % warp_size, warp = rank / warp_size;
    const auto last_lane = [](int value) { return shuffle(warp_tile<warp_size>{}, value, warp_size - 1); };
    const int used = (segments_ + BlockSize - 1) / BlockSize * warps;
    for (int group = warp; group < used; group += warps) {
      const int i = group * warp_size + lane;
      std::int64_t length = i < segments_ ? all.end(i) - all.begin(i) : 0;
      if (length < 0) length = 0;  // an end before the begin: the segment is empty, but has a part that writes it
      int parts = int(count_parts<Unit>(length, values));
      if (i >= segments_ || length <= short_values) parts = 0;
      const int sum = join_lanes_before(parts, lane, plus{});
      if (i < segments_) before[i] = number(sum - parts);
      if (lane == warp_size - 1) groups[group] = sum;
    }
    block.sync();
    if (warp == 0) {
      int all_before = 0;
      for (int first = 0; first < used; first += warp_size) {
        const int group = first + lane;
        const int own = group < used ? groups[group] : 0, sum = join_lanes_before(own, lane, plus{});
        if (group < used) groups[group] = all_before + sum - own;
        all_before += last_lane(sum);
      }
      if (lane == 0) before[segments_] = number(all_before);
    }
    block.sync();
    for (int i = rank; i < segments_; i += BlockSize) before[i] = number(before[i] + groups[i / warp_size]);
    block.sync();
    before_ = &before[0];
  }
  __device__ int count() const { return before_[segments_]; }
  /// Part `number`, if there are so many: those of a segment are equally many units, as far as there are.
  __device__ segment_part find(const Segments& all, int number) const {
    if (number >= count()) return {0, 0, number, 0, 0, 0};
    int low = 0, high = segments_;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (before_[middle] <= number) low = middle;
      else high = middle;
    }
    const int index = number - before_[low], parts = before_[low + 1] - before_[low];
    const std::int64_t first = all.begin(low), last = all.end(low);
    const std::int64_t size = (unsigned((last - first - 1) / Unit) / unsigned(parts) + 1) * Unit;
    const std::int64_t begin = first + index * size;
    return {begin < last ? begin : last, begin + size < last ? begin + size : last, number, low, index, parts};
  }

 private:
  const number* before_;  ///< each segment: parts
  int segments_;
};

/// Warps take segments of up to so many values in turn, `own` first, and leave the others.
template <int BlockSize, int Loads, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_short(const bounded_input<In>& input, const Segments& segments, warp_segment own,
                                           std::int64_t most_values, const put_segment<Acc, Out, Op>& put) {
  const monoid<Acc, Op> join{put.op};
  const warp_tile<warp_size> warp;
  const int lane = int(ptx::lane());
  const std::int64_t step = std::int64_t(gridDim.x) * (BlockSize / warp_size);
  for (; own.number < segments.count; own = warp_segment::find(segments, own.number + step)) {
    if (own.end - own.begin > most_values) continue;
    const int length = own.begin < own.end ? int(own.end - own.begin) : 0;
    auto total = group_part<Acc, Loads>(lane, warp_size, input, own.begin, length, put.op, join);
    total = warp_reduce(warp, total, join);
    if (lane == 0) put(own.number, length > 0, join.unwrap(total));
  }
}

/// Blocks take the others in turn.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_rest(const bounded_input<In>& input, const Segments& segments,
                                          std::int64_t short_values, const put_segment<Acc, Out, Op>& put) {
  const this_block block;
  const monoid<Acc, Op> join{put.op};
  for (std::int64_t i = blockIdx.x; i < segments.count; i += gridDim.x) {
    const std::int64_t begin = segments.begin(i), end = segments.end(i);
    if (end - begin <= short_values) continue;
    const auto total = reduce_part<BlockSize, Acc, segmented_policy::unit_loads>(input, begin, end, put.op, join);
    if (block.thread_rank() == 0) put(i, true, join.unwrap(total));
  }
}

/// The same in parts: the first in turn, the others drawn, as `take_whole` does.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_parts(const bounded_input<In>& input, const Segments& segments,
                                           std::int64_t short_values, std::int64_t most_values,
                                           const put_segment<Acc, Out, Op>& put,
                                           const few_segments_state<Acc>& state) {
  constexpr int most_by_warp = 8 * warp_size;
  constexpr std::int64_t unit = block_unit<In, Acc, BlockSize>;
  GPUPRIM_SHARED(next, shared_array<segment_part, 2>);
  GPUPRIM_SHARED(joins, bool);
  const this_block block;
  const warp_tile<warp_size> warp;
  const monoid<Acc, Op> join{put.op};
  const part_list<BlockSize, unit, Segments> parts(segments, most_values, short_values);
  const int rank = int(block.thread_rank()), count = parts.count();
  segment_part own = parts.find(segments, int(blockIdx.x));
  for (int odd = 0; own.number < count; own = next[odd], odd ^= 1) {
    unsigned before = 0;
    if (rank == 0 && own.count > 1) before = atomicInc(&state.arrivals[own.segment], unsigned(own.count - 1));
    auto total = lane_part<BlockSize, Acc, segmented_policy::unit_loads>(rank, input, own.begin, own.end, put.op, join);
    if (rank == 0) next[odd] = parts.find(segments, draw(count, state.drawn));
    total = warp_reduce(warp, total, join);
    total = block_join_warps<BlockSize>(block, total, join, BlockSize / warp_size);
    if (own.count == 1) {
      if (rank == 0) put(own.segment, own.begin < own.end, join.unwrap(total));
      continue;
    }
    if (rank == 0) state.mailboxes[own.number].send(join.unwrap(total));
    mailbox<Acc>* const boxes = state.mailboxes + (own.number - own.index);
    if (own.count <= most_by_warp) {  // the other warps go on
      if (rank >= warp_size || shuffle(warp, before, 0) != unsigned(own.count - 1)) continue;
      total = join_mail<warp_size, 8>(boxes, own.count, join);
    } else {
      if (rank == 0) joins = before == unsigned(own.count - 1);
      block.sync();
      if (!joins) continue;
      total = join_mail<BlockSize, 8>(boxes, own.count, join);
    }
    if (rank == 0) put(own.segment, true, join.unwrap(total));
  }
}

template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    few_segments_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put, few_segments_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  const bounded_input<In> input{in, 0, 0};  // nothing is read but what is in a segment
  using policy = segmented_policy;
  const this_block block;
  const int blocks = int(gridDim.x);
  // The more segments, the longer a block would have others wait: 1000 of 3000 5.1 us instead of 6.5, 2000 of 5000 12
  // instead of 14, but 600 of 8000 8.9 instead of 6.7.
  const int warp_units = segments.count <= blocks ? 2 : segments.count <= 2 * blocks ? 4 : 5;
  const std::int64_t most_of_warp = segment_tile_shape<In, Acc>::unit_values * warp_units;
  const warp_segment own = warp_segment::first(segments);  // asked for together with what all look at
  const std::int64_t own_longest = find_longest<BlockSize>(segments);
  if (!block.any(own_longest > most_of_warp)) {
    return take_short<BlockSize, policy::short_loads>(input, segments, own, most_of_warp, put);
  }
  const std::int64_t values = count_values<BlockSize>(segments);
  // Long beside what each block has to read; or long enough that blocks without work in the end cost more than mail.
  const bool are_cut = block.any((own_longest > policy::most_whole_values && own_longest * blocks > 2 * values) ||
                                 (own_longest > policy::most_even_values && own_longest * blocks > values / 4));
  // Mostly short ones, and too many for blocks.
  const bool are_mixed = segments.count > 2 * blocks && values < most_of_warp / 4 * segments.count;
  if (are_mixed) {  // with what comes behind there are registers for half as many loads
    take_short<BlockSize, policy::short_loads / 2>(input, segments, warp_segment::first(segments), most_of_warp, put);
  }
  if (are_cut) {
    constexpr std::int64_t unit = block_unit<In, Acc, BlockSize>;
    std::int64_t most = 0;
    if (values <= policy::most_even_values * blocks) {
      most = part_values<unit>(values, few_segments_state<Acc>::few_per_block, blocks);
    } else {
      const std::int64_t longest = block_all_reduce<BlockSize>(block, own_longest, maximum{});
      most = choose_part_values<Acc, unit>(segments.count, values, longest, blocks);
    }
    return take_parts<BlockSize>(input, segments, are_mixed ? most_of_warp : -1, most, put, state);
  }
  if (are_mixed) return take_rest<BlockSize>(input, segments, most_of_warp, put);
  take_whole<BlockSize, policy::unit_loads, Acc>(input, segments, put, state.drawn);
}

}  // namespace gpuprim::detail
