// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_parts.cuh>
#include <gpuprim/device/segmented/segmented_kernel.cuh>
#include <gpuprim/policy/reduce_policy.hpp>
#include <gpuprim/warp/join_lanes.cuh>

#include <cstdint>

namespace gpuprim::detail {

// Few segments, with an operator that commutes. Some warps of a block take each, all at once. Those that are too long
// for that are taken by whole blocks. Those that are long beside what a block has to read, or so long that blocks would
// have nothing left to take in the end, are cut into parts.

/// Values up to which a segment is taken at once: more where most blocks have one segment, and none has two. Whoever
/// needs it asks: handed on, it makes 1000 of 64 values take 1.93 us instead of 1.81.
__device__ __forceinline__ int most_at_once(std::int64_t segments) {
  using policy = segmented_policy;
  const bool have_one = segments <= gridDim.x && 2 * segments >= gridDim.x;
  return have_one ? policy::most_team_values_of_one : policy::most_team_values;
}

/// The size of parts, in units of 1 << log_unit values: no division has 64 bits, for short lists would feel it.
struct part_size {
  int log_unit;
  unsigned units;

  /// The least size that gives each of so many blocks no more parts than that, but for the last of a segment.
  __device__ static part_size of(std::int64_t values, int log_unit, int parts) {
    return {log_unit, unsigned(values >> log_unit) / unsigned(parts) + 1};
  }
  __device__ std::int64_t values() const { return std::int64_t(units) << log_unit; }
  /// Parts that a segment is cut into.
  __device__ unsigned count(std::int64_t length) const {
    return length > values() ? unsigned((length - 1) >> log_unit) / units + 1 : 1;
  }
  /// The size of so many equal ones.
  __device__ std::int64_t share(std::int64_t length, int parts) const {
    return std::int64_t(unsigned((length - 1) >> log_unit) / unsigned(parts) + 1) << log_unit;
  }
};

/// Bounds that a thread asks for, all at once. The threads of a block look at `size` segments together.
template <int BlockSize, class Segments>
struct segment_look {
  static constexpr int rows = 4;  // that are asked for at once
  static constexpr int size = rows * BlockSize;
  std::int64_t begins[rows], ends[rows];

  /// Those from `first` on, as far as there are.
  __device__ segment_look(const Segments& segments, int first) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const int i = first + int(threadIdx.x) + row * BlockSize;
      const bool is_there = i < int(segments.count);
      begins[row] = is_there ? segments.begin(i) : 0;
      ends[row] = is_there ? segments.end(i) : 0;
    }
  }
  /// The values of the longest segment that the thread looks at.
  __device__ std::int64_t longest() const {
    std::int64_t longest = 0;
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const std::int64_t length = ends[row] - begins[row];
      if (longest < length) longest = length;
    }
    return longest;
  }

  /// The same where the threads of a block go through all segments.
  __device__ static std::int64_t longest_of_all(const Segments& segments) {
    std::int64_t longest = 0;
    for (int first = 0; first < segments.count; first += size) {
      const std::int64_t seen = segment_look(segments, first).longest();
      if (longest < seen) longest = seen;
    }
    return longest;
  }
};

/// The values of all segments. The whole block calls it.
template <int BlockSize, class Segments>
__device__ __forceinline__ std::int64_t count_values(const Segments& segments) {
  if constexpr (requires { segments.last(); }) {
    return segments.last() - segments.first();
  } else {
    std::int64_t values = 0;
#pragma unroll 4
    for (int i = int(this_block::thread_rank()); i < segments.count; i += BlockSize) {
      const std::int64_t length = segments.end(i) - segments.begin(i);
      if (length > 0) values += length;
    }
    return gpuprim::block_all_reduce<BlockSize>(this_block{}, values, plus{});
  }
}

/// Parts of at most that size of those of few segments that are not short. Each block counts all of them.
template <int BlockSize, class Segments>
class part_list {
  static constexpr int most_segments = segmented_policy::few_segments;
  using number = std::uint16_t;
  static_assert(most_segments + max_grid_blocks * segmented_policy::most_parts_per_block < 65536);

 public:
  /// The whole block calls it.
  __device__ part_list(const Segments& all, part_size size) : size_(size), segments_(int(all.count)) {
    const int most_short = most_at_once(segments_);
    constexpr int warps = BlockSize / warp_size, most_groups = (most_segments + BlockSize - 1) / BlockSize * warps;
    GPUPRIM_SHARED(before, shared_array<number, most_segments + 1>);
    GPUPRIM_SHARED(groups, shared_array<int, most_groups>);  // of 32 segments
    const this_block block;
    const int rank = int(block.thread_rank()), lane = rank % warp_size, warp = rank / warp_size;
    const auto last_lane = [](int value) { return detail::shuffle(warp_tile<warp_size>{}, value, warp_size - 1); };
    const int used = (segments_ + BlockSize - 1) / BlockSize * warps;
#pragma unroll 4
    for (int group = warp; group < used; group += warps) {
      const int i = group * warp_size + lane;
      const std::int64_t length = i < segments_ ? all.end(i) - all.begin(i) : 0;
      const int parts = length > most_short ? int(size.count(length)) : 0;
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
    const std::int64_t size = size_.share(last - first, parts);
    const std::int64_t begin = first + index * size;
    return {begin < last ? begin : last, begin + size < last ? begin + size : last, number, low, index, parts};
  }

 private:
  part_size size_;
  const number* before_;  ///< each segment: parts
  int segments_;
};

/// Each block takes those of its segments that are short, at once as many as it has warps, each with an equal number of
/// these, or as many as have some loads. Returns whether there are longer ones. Values do not wait for that: the bounds
/// that tell are looked at while they are on their way.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ bool take_short(const bounded_input<In>& input, const Segments& segments,
                                           const put_segment<Acc, Out, Op>& put) {
  using policy = segmented_policy;
  using look_type = segment_look<BlockSize, Segments>;
  constexpr int warps = BlockSize / warp_size;
  constexpr int warp_values = warp_size * segment_tile_shape<In, Acc>::load_items * policy::short_loads;
  const monoid<Acc, Op> join{put.op};
  GPUPRIM_SHARED(totals, shared_array<typename monoid<Acc, Op>::value_type, 2 * warps>);
  const int rank = int(threadIdx.x), lane = rank % warp_size, warp = rank / warp_size;
  const int count = int(segments.count), step = int(gridDim.x), most_values = most_at_once(count);
  const look_type look(segments, 0);
  for (int first = int(blockIdx.x), at = 0;; at ^= warps) {
    const int n = __popc(__ballot_sync(0xffffffffu, lane < warps && first + lane * step < count));
    const int number = warp * n / warps;
    const unsigned team = __ballot_sync(0xffffffffu, lane < warps && lane * n / warps == number);  // its warps
    const int team_first = __ffs(int(team)) - 1, in_team = warp - team_first, i = first + number * step;
    const auto own = whole_segment::find(segments, i);
    const bool is_short = own.length() <= most_values;
    const int length = is_short && own.begin < own.end ? int(own.length()) : 0;
    const int needed = int(unsigned(length + warp_values - 1) / warp_values);
    const int used = needed < __popc(team) ? needed : __popc(team);
    auto total = join.empty();
    if (in_all_lanes(in_team < used)) {
      total = group_part<Acc, policy::short_loads, false, policy::few_unit_loads, false>(
          in_team * warp_size + lane, used * warp_size, input, own.begin, length, put.op, join);
      total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, join);
      if (lane == 0) totals[at + warp] = total;
    }
    bool sees = look.longest() > most_values;
#pragma unroll 1
    for (int k = look_type::size; k < count && !in_all_lanes(sees); k += look_type::size) {
      sees = look_type(segments, k).longest() > most_values;
    }
    const bool are_left = this_block::any(sees);
    if (in_all_lanes(in_team == 0 && i < count && is_short)) {
      if (in_all_lanes(used > 1)) {
        total = join_neighbour_lanes(lane < used ? totals[at + team_first + lane] : join.empty(), warps, join);
      }
      if (lane == 0) put(i, length > 0, join.unwrap(total));
    }
    first += warps * step;
    if (first >= count) return are_left;
  }
}

/// One part for each block of short lists, if most blocks are left for that; else some, and more of long lists where
/// those of segments of one length would leave blocks without work in the end, unless one segment has most of the
/// values, which few are better joined of. `longest`: values of the longest segment that a thread has seen. The whole
/// block calls it.
template <class In, class Acc, int BlockSize>
__device__ __forceinline__ part_size choose_part_size(std::int64_t segments, std::int64_t values,
                                                      std::int64_t longest) {
  using policy = segmented_policy;
  using state = segment_parts_state<Acc>;
  const int log_row = __ffs(BlockSize * segment_tile_shape<In, Acc>::load_items) - 1, log_unit = log_row + 3;
  const int blocks = int(gridDim.x), left = blocks - int(segments);
  if (2 * left >= blocks && values <= policy::most_single_part_values * left) {
    const auto size = part_size::of(values, log_row, left);
    return {log_row, size.units < policy::unit_loads ? policy::unit_loads : size.units};
  }
  const auto most = part_size::of(values, log_unit, state::few_per_block * blocks);
  if (values <= policy::most_even_values * blocks) return most;
  longest = gpuprim::block_all_reduce<BlockSize>(this_block{}, longest, maximum{});
  const unsigned rounds = (unsigned(segments) * most.count(longest) - 1) / unsigned(blocks) + 1;
  const bool is_even = rounds * most.values() * blocks <= values + values / 16;
  return is_even || 2 * longest > values ? most : part_size::of(values, log_unit, state::most_per_block * blocks);
}

/// Blocks take the others in parts: the first in turn, the others drawn, as `take_whole` does.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_parts(const bounded_input<In>& input, const Segments& segments,
                                           part_size size, const put_segment<Acc, Out, Op>& put,
                                           const segment_parts_state<Acc>& state) {
  using policy = segmented_policy;
  GPUPRIM_SHARED(next, shared_array<segment_part, 2>);
  const this_block block;
  const monoid<Acc, Op> join{put.op};
  const part_list<BlockSize, Segments> parts(segments, size);
  const bool are_single = size.values() <= policy::most_single_part_values;
  const int rank = int(block.thread_rank()), count = parts.count();
  segment_part own = parts.find(segments, int(blockIdx.x));
  for (int odd = 0; own.number < count; own = next[odd], odd ^= 1) {
    const unsigned before = begin_part(own, state);
    auto total = join.empty();
    if (in_all_lanes(are_single)) {
      total = lane_part<BlockSize, Acc, policy::unit_loads>(rank, input, own.begin, own.end, put.op, join);
    } else {
      total = lane_part<BlockSize, Acc, policy::few_unit_loads>(rank, input, own.begin, own.end, put.op, join);
    }
    if (rank == 0) next[odd] = parts.find(segments, draw(count, state.drawn));
    total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, join);
    total = block_join_warps<BlockSize>(block, total, join, BlockSize / warp_size);
    detail::put_part<BlockSize>(own, before, join.unwrap(total), put, state);
  }
}

template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    few_segments_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put, segment_parts_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  detail::expects_order(segments);
  const bounded_input<In> input{in, 0, 0};  // nothing is read but what is in a segment
  using policy = segmented_policy;
  const this_block block;
  if (!take_short<BlockSize>(input, segments, put)) return;
  using look_type = segment_look<BlockSize, Segments>;
  // Long beside what each block has to read; or long enough that blocks without work in the end cost more than mail.
  const std::int64_t values = count_values<BlockSize>(segments), longest = look_type::longest_of_all(segments);
  const std::int64_t most_share = longest > policy::most_even_values ? values / 4 : 4 * values;
  const int most_short = most_at_once(segments.count);
  const bool are_cut = block.any(longest > most_short && longest * gridDim.x > most_share);
  if (are_cut) {
    const auto size = choose_part_size<In, Acc, BlockSize>(segments.count, values, longest);
    take_parts<BlockSize>(input, segments, size, put, state);
  } else {
    const auto is_long = [=](const whole_segment& one) { return one.length() > most_short; };
    take_whole<BlockSize, policy::few_unit_loads, false, Acc>(input, segments, put, plain_draws{state.drawn}, is_long);
  }
}

}  // namespace gpuprim::detail
