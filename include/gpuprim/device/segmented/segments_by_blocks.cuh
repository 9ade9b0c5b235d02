// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Blocks take whole segments, which they draw where the operator commutes, or parts of long ones.
#include <gpuprim/device/segmented/segment_loads.cuh>
#include <gpuprim/device/segmented/segment_rows.cuh>
#include <gpuprim/device/segmented/segments.cuh>
#include <gpuprim/grid/draws.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Segments that a block draws at once: as many as are long enough together, where there are many.
template <class In>
__device__ __forceinline__ unsigned count_draw(unsigned count, int average, unsigned blocks) {
  constexpr unsigned draw = segmented_policy::draw_bytes / sizeof(input_value<In>);
  const unsigned batch = unsigned(average) < draw ? (draw + unsigned(average) / 2) / unsigned(average) : 1;
  return count > 16 * batch * blocks ? batch : 1;
}

/// A segment that a block takes; behind the last one, a segment of nothing.
struct whole_segment {
  std::int64_t begin, end;
  unsigned number;

  template <class Segments>
  __device__ static whole_segment find(const Segments& segments, unsigned i) {
    if (i >= segments.count) return {0, 0, i};
    const std::int64_t begin = segments.begin(i), end = segments.end(i);
    return {begin, end < begin ? begin : end, i};
  }
  __device__ std::int64_t length() const { return end - begin; }
};

/// The first `blocks` blocks take whole segments, `batch` neighbours a draw, and first `own`, which has the number of
/// the block, but for those that `leaves_out` names, which all threads of a block ask. The last warp draws while the
/// others still read, for the first one has edges to wait for; and one warp joins the parts of all, another one each
/// time, while the others read on.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op, class LeavesOut>
__device__ __forceinline__ void take_whole_segments(whole_segment own, const bounded_input<In>& input,
                                                    const Segments& segments, unsigned batch, unsigned blocks,
                                                    unsigned* drawn, const put_segment<Acc, Out, Op>& put,
                                                    const LeavesOut& leaves_out) {
  constexpr int warps = BlockSize / warp_size;
  const monoid<Acc, Op> join{put.op};
  using parts_type = shared_array<typename monoid<Acc, Op>::value_type, 2 * warps>;
  GPUPRIM_SHARED(next, shared_array<whole_segment, 2>);
  GPUPRIM_SHARED(parts, parts_type);
  const this_block block;
  const warp_tile<warp_size> warp;
  const int rank = int(block.thread_rank());
  const unsigned count = unsigned(segments.count);
  if (in_all_lanes(batch > 1)) own = whole_segment::find(segments, blockIdx.x * batch);
  int joiner = 0;
  for (int turn = 0; in_all_lanes(count > own.number); turn ^= 1) {
    const bool is_left_out = leaves_out(own);
    if (is_left_out) own.end = own.begin;
    auto total = detail::read_by_block<BlockSize, Acc>(input, own.begin, own.end, join);
    if (rank == BlockSize - warp_size) {
      const bool is_last = (own.number + 1) % batch == 0 || own.number + 1 == count;
      next[turn] = whole_segment::find(segments, is_last ? draw(count, batch, blocks, drawn) : own.number + 1);
    }
    total = gpuprim::warp_reduce(warp, total, join);
    if (rank % warp_size == 0) parts[turn * warps + rank / warp_size] = total;
    block.sync();
    if (rank == joiner * warp_size && !is_left_out) {
      total = parts[turn * warps];
#pragma unroll
      for (int i = 1; i < warps; ++i) total = join(total, parts[turn * warps + i]);
      put(own.number, own.end > own.begin, join.unwrap(total));
    }
    joiner = (joiner + 1) % warps;
    own = next[turn];
  }
}

/// A part of a segment: its values, and its place among the `count` parts that the segment is cut into.
struct segment_part {
  std::int64_t segment, begin, end;
  int index, count;
  std::int64_t first_place;  ///< of the segment's parts among those of all, which mailboxes and counts go by

  /// Part `index` of a segment, the parts of which have `values` values each but for the last.
  __device__ static segment_part cut(std::int64_t segment, std::int64_t begin, std::int64_t end, std::int64_t values,
                                     int index, int count, std::int64_t first_place) {
    const std::int64_t from = begin + index * values, to = from + values;
    return {segment, from < end ? from : end, to < end ? to : end, index, count, first_place};
  }
};

/// The values of a part of a listed segment: as many as usual, so that blocks take equally long for each, but so many
/// that one block can join all parts.
__device__ __forceinline__ std::int64_t find_part_values(std::int64_t length, std::int64_t usual) {
  while (usual * segmented_policy::most_parts < length) usual *= 2;
  return usual;
}

/// Lists the parts of a segment for the second launch, one thread. Where the list is full, that launch looks for all
/// long segments itself.
template <class Acc>
__device__ __forceinline__ void list_segment(std::int64_t segment, std::int64_t length, std::int64_t usual,
                                             const segmented_state<Acc>& state) {
  const int count = int((length - 1) / find_part_values(length, usual)) + 1;
  if (ptx::load_relaxed(state.listed) > state.places) return;  // the counter must not overflow
  const unsigned place = atomicAdd(state.listed, unsigned(count));
  for (int i = 0; i < count && place + i < state.places; ++i) {
    state.list[place + i] = std::uint64_t(segment) << 16 | std::uint64_t(i);
  }
}

/// A block reduces the values of a part. Rank 0 gets the result.
template <int BlockSize, class Acc, class In, class Join>
__device__ __forceinline__ typename Join::value_type reduce_values(const segment_part& own,
                                                                   const bounded_input<In>& input, const Join& join) {
  if constexpr (is_commutative<decltype(Join::op), Acc>) {
    return detail::reduce_by_block<BlockSize, Acc>(input, own.begin, own.end, join);
  } else {
    constexpr int warps = BlockSize / warp_size;
    const std::int64_t share = (own.end - own.begin + warps - 1) / warps;
    const std::int64_t from = own.begin + this_block::thread_rank() / warp_size * share, to = from + share;
    const auto of_warp =
        detail::reduce_in_order<Acc>(input, from < own.end ? from : own.end, to < own.end ? to : own.end, join.op);
    auto total = join.empty();
    if (of_warp.present) total = of_warp.value;
    return detail::block_join_warps<BlockSize>(this_block{}, total, join, warps);
  }
}

/// A block takes a part. One that is all of a segment is written; otherwise each part is mailed, and the block that
/// begins the last one joins them, so that it never waits for a part that no block has begun.
template <int BlockSize, class Acc, class In, class Out, class Op>
__device__ __forceinline__ void take_part(const segment_part& own, const bounded_input<In>& input,
                                          const put_segment<Acc, Out, Op>& put, const segmented_state<Acc>& state) {
  static_assert(BlockSize > warp_size, "the barriers of reduce_values stand between is_last and its readers");
  GPUPRIM_SHARED(is_last, bool);
  const monoid<Acc, Op> join{put.op};
  const int rank = int(this_block::thread_rank());
  const unsigned last = unsigned(own.count - 1);
  if (rank == 0 && own.count > 1) is_last = atomicInc(state.begun + own.first_place, last) == last;
  const auto total = detail::reduce_values<BlockSize, Acc>(own, input, join);
  if (own.count == 1) {
    if (rank == 0) put(own.segment, own.end > own.begin, join.unwrap(total));
    return;
  }
  mailbox<Acc>* const mails = state.blocks.mailboxes + own.first_place;
  if (rank == 0) mails[own.index].send(join.unwrap(total));
  if (!is_last) return;
  const auto all = detail::join_mail<BlockSize, 8>(mails, own.count, join);
  if (rank == 0) put(own.segment, true, join.unwrap(all));
}

/// Blocks take the listed parts in turn.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_listed(unsigned listed, std::int64_t usual, const bounded_input<In>& input,
                                            const Segments& segments, const put_segment<Acc, Out, Op>& put,
                                            const segmented_state<Acc>& state) {
  for (unsigned place = blockIdx.x; place < listed; place += gridDim.x) {
    const std::uint64_t own = state.list[place];
    const std::int64_t segment = std::int64_t(own >> 16), begin = segments.begin(segment), end = segments.end(segment);
    const std::int64_t values = find_part_values(end - begin, usual);
    const int index = int(own & 0xffff), count = int((end - begin - 1) / values) + 1;
    const auto part = segment_part::cut(segment, begin, end, values, index, count, place - index);
    detail::take_part<BlockSize>(part, input, put, state);
    this_block::sync();
  }
}

/// Blocks look for the long segments themselves, where these have more parts than the list has places. Neighbours go to
/// different blocks.
template <int BlockSize, class Acc, class In, class Segments, class Out, class Op>
__device__ __forceinline__ void take_all_long(std::int64_t least_values, const bounded_input<In>& input,
                                              const Segments& segments, const put_segment<Acc, Out, Op>& put,
                                              const segmented_state<Acc>& state) {
  const auto find = [&](std::int64_t turn) { return turn * gridDim.x + blockIdx.x; };
  for (std::int64_t first = 0; find(first) < segments.count; first += BlockSize) {
    const std::int64_t own = first + this_block::thread_rank() / warp_size * warp_size, i = find(own + ptx::lane());
    const std::int64_t length = i < segments.count ? segments.end(i) - segments.begin(i) : 0;
    const unsigned found = __ballot_sync(0xffffffffu, length >= least_values);
    detail::take_left_out<BlockSize>(own, found, [&](std::int64_t turn) {
      const std::int64_t i = find(turn);
      detail::take_part<BlockSize>({i, segments.begin(i), segments.end(i), 0, 1, 0}, input, put, state);
    });
    this_block::sync();
  }
}

/// Segments of one length: a block takes one of `parts` parts of each, which have `part_values` values. Blocks come and
/// go, so that memory is read in order.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    parts_kernel(bounded_input<In> input, fixed_segments segments, int parts, std::int64_t part_values,
                 put_segment<Acc, Out, Op> put, segmented_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  ptx::begin_kernel();
  const int i = parts == 1 ? int(blockIdx.x) : int(blockIdx.x) / parts, index = int(blockIdx.x) - i * parts;
  detail::take_part<BlockSize>(
      segment_part::cut(i, segments.begin(i), segments.end(i), part_values, index, parts, std::int64_t{i} * parts),
      input, put, state);
}

}  // namespace gpuprim::detail
