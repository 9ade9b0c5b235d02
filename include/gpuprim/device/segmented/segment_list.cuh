// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segment_parts.cuh>
#include <gpuprim/device/segmented/segmented_kernel.cuh>

namespace gpuprim::detail {

// Long segments that lie anywhere. A first launch lists them; a second shares all blocks out among these.

/// The list, in a zeroed buffer that is zero again after the second launch.
template <class Acc>
struct segment_list {
  unsigned* count;
  unsigned* finished;  ///< blocks
  unsigned* begun;     ///< parts of each
  segmented_state<Acc> state;
  std::int64_t* segments;

  __device__ void add(std::int64_t segment) const { segments[atomicAdd(count, 1u)] = segment; }

  static constexpr int max_blocks = 2048;
  static constexpr std::int64_t state_begin = 64 + max_blocks * 4;
  static constexpr std::int64_t list_begin = state_begin + (segmented_state<Acc>::bytes(max_blocks) + 7) / 8 * 8;
  static constexpr std::int64_t bytes(std::int64_t segments) {
    return list_begin + segments * 8;
  }
  static segment_list lay_over(void* buffer) {
    char* bytes = static_cast<char*>(buffer);
    auto* const counts = reinterpret_cast<unsigned*>(bytes);
    return {counts,
            counts + 1,
            counts + 16,
            segmented_state<Acc>::lay_over(bytes + state_begin),
            reinterpret_cast<std::int64_t*>(bytes + list_begin)};
  }
};

/// The segments of a list.
template <class Segments>
struct listed_segments {
  Segments all;
  const std::int64_t* list;
  std::int64_t count;

  __device__ std::int64_t begin(std::int64_t k) const { return all.begin(list[k]); }
  __device__ std::int64_t end(std::int64_t k) const { return all.end(list[k]); }
};

/// Writes the result of a listed segment, and may empty its place in the list, if nobody else looks there.
template <bool Empties, class Acc, class Out, class Op>
struct put_listed : put_segment<Acc, Out, Op> {
  std::int64_t* list;

  __device__ void operator()(std::int64_t k, bool present, const Acc& result) const {
    put_segment<Acc, Out, Op>::operator()(list[k], present, result);
    if constexpr (Empties) list[k] = 0;
  }
};

/// Teams of so many blocks take a listed segment each, in equal parts.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_in_parts(int team_blocks, const In& in, const listed_segments<Segments>& listed,
                                              const put_segment<Acc, Out, Op>& put, const segment_list<Acc>& list) {
  constexpr std::int64_t line = segment_tile_shape<In, Acc>::line_items, least = segmented_policy::least_listed_part;
  const int team = int(blockIdx.x) / team_blocks, in_team = int(blockIdx.x) % team_blocks;
  if (team >= listed.count) return;
  const monoid<Acc, Op> join{put.op};
  const std::int64_t begin = listed.begin(team), end = listed.end(team);
  const std::int64_t share = (end - begin - 1) / team_blocks + 1;
  const std::int64_t size = ((share < least ? least : share) + line - 1) / line * line;
  const int parts = int((end - begin - 1) / size) + 1;
  if (in_team >= parts) return;
  const std::int64_t from = begin + in_team * size, to = from + size < end ? from + size : end;
  const segment_part own{from, to, int(blockIdx.x), team, in_team, parts};
  const segment_parts_state<Acc> state{list.state.blocks.mailboxes, list.begun, nullptr};
  const unsigned before = begin_part(own, state);
  const auto total = reduce_part<BlockSize, Acc, segmented_policy::unit_loads, true>(bounded_input<In>{in, 0, 0}, from,
                                                                                     to, put.op, join);
  const put_listed<false, Acc, Out, Op> put_whole{put, list.segments};
  detail::put_part<BlockSize>(own, before, join.unwrap(total), put_whole, state);
}

/// The same in order, for operators that do not commute; here teams take one segment after the other. Those of one
/// block empty the list as they go.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_in_order(int team_blocks, const In& in,
                                              const listed_segments<Segments>& listed,
                                              const put_segment<Acc, Out, Op>& put, const segment_list<Acc>& list) {
  const this_block block;
  const int own = detail::number_block(list.state.blocks), teams = int(gridDim.x) / team_blocks;
  const int team = own / team_blocks, in_team = own % team_blocks;
  for (std::int64_t k = team; team < teams && k < listed.count; k += teams) {
    const std::int64_t segment = list.segments[k], begin = listed.begin(k);
    const fixed_segments one{begin, listed.end(k) - begin, 1};
    const std::int64_t items = item_number(one.length, one.count);
    const std::int64_t share = warp_share<In, Acc>(items, std::int64_t(team_blocks) * (BlockSize / warp_size));
    const bounded_input<In> input{in, begin, one.last()};
    const auto put_one = [&](std::int64_t, bool present, const Acc& result) { put(segment, present, result); };
    const auto walk = [&](std::int64_t item, std::int64_t end) {
      return walk_by_warps<BlockSize, Acc>(item, share, end, input, one, put.op, put_one);
    };
    const auto own_share = item_share::make(in_team, share * (BlockSize / warp_size), begin, begin + items);
    auto* const mailboxes = list.state.blocks.mailboxes + team * team_blocks;
    detail::reduce_share<BlockSize>(own_share, one, put.op, mailboxes, put_one, walk);
    block.sync();
    if (team_blocks == 1 && block.thread_rank() == 0) list.segments[k] = 0;
  }
}

/// Teams of as many blocks as there are for each segment, or blocks that draw one after the other; what a segment gives
/// depends on how many are listed, not on their order in the list.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    long_segments_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put, segment_list<Acc> list) {
  ptx::begin_kernel();
  const this_block block;
  const int rank = int(block.thread_rank());
  const unsigned count = *list.count, blocks = gridDim.x;
  if (count == 0) return;
  const listed_segments<Segments> listed{segments, list.segments, count};
  const int team_blocks = count < blocks ? int(blocks / count) : 1;
  if constexpr (!is_commutative<Op, Acc>) {
    detail::take_in_order<BlockSize>(team_blocks, in, listed, put, list);
  } else if (in_all_lanes(count < blocks)) {
    take_in_parts<BlockSize>(team_blocks, in, listed, put, list);
  } else {
    take_whole<BlockSize, segmented_policy::uneven_unit_loads, false, Acc>(
        bounded_input<In>{in, 0, 0}, listed, put_listed<true, Acc, Out, Op>{put, list.segments},
        plain_draws{list.state.blocks.arrivals});
  }
  // The last block to finish empties what others may have read until then.
  GPUPRIM_SHARED(is_last, bool);
  block.sync();
  if (rank == 0) {
    is_last = ptx::arrive_in_order(list.finished, blocks - 1) == blocks - 1;
    if (is_last) *list.count = 0;
  }
  block.sync();
  if (!is_last || count >= blocks) return;
  for (unsigned k = unsigned(rank); k < count; k += BlockSize) list.segments[k] = 0;
}

}  // namespace gpuprim::detail
