// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segmented_kernel.cuh>

namespace gpuprim::detail {

// Many segments by offsets, split by their number: a warp takes a unit of as many segments as others have, for which it
// need not look, and blocks draw turns of a unit a warp, so that memory is read in order and no multiprocessor runs out
// of work before others. A unit with far more items than others is cut, and the cuts are listed instead. A second
// launch takes those.

/// What the two launches share, in a zeroed buffer that is zero again after them.
template <class Acc>
struct turns_state {
  unsigned *drawn, *listed, *taken;  ///< turns; cuts
  mailbox<Acc>* mailboxes;           ///< of cuts
  std::uint64_t* cuts;               ///< a cut's unit, and its number in it << 32

  static constexpr unsigned most_cuts = segmented_policy::most_cuts;
  static constexpr std::int64_t cuts_begin = 64 + most_cuts * std::int64_t(sizeof(mailbox<Acc>));
  static constexpr std::int64_t bytes() { return cuts_begin + most_cuts * 8; }
  static turns_state lay_over(void* buffer) {
    auto* bytes = static_cast<char*>(buffer);
    auto* counts = reinterpret_cast<unsigned*>(bytes);
    return {counts, counts + 1, counts + 2, reinterpret_cast<mailbox<Acc>*>(bytes + 64),
            reinterpret_cast<std::uint64_t*>(bytes + cuts_begin)};
  }
};

/// The segments of one unit, numbered as all are.
template <class Segments>
struct unit_segments : Segments {
  std::int64_t begin_segment;

  __device__ item_place find(std::int64_t item) const { return Segments::find(item, begin_segment); }
};

/// How segments are cut into units.
template <class Segments>
struct segment_units {
  Segments segments;
  std::int64_t size;       ///< of a unit, in segments
  std::int64_t cut_items;  ///< the most items of a unit that is not cut, and those of a cut

  /// For a grid of so many warps.
  __device__ segment_units(const Segments& all, std::int64_t warps) : segments(all) {
    const std::int64_t values = all.last() - all.first();
    // Where segments are short, a tile that is not full, as the last one of a unit, costs more.
    const std::int64_t most = segmented_policy::unit_values * (values / 32 >= all.count ? 1 : 2);
    const std::int64_t even = values / warps, least = segmented_policy::least_unit_values;
    const std::int64_t unit = even < least ? least : even < most ? even : most;
    const std::int64_t by_values = values / unit, by_count = all.count / most;
    size = all.count / ((by_values > by_count ? by_values : by_count) + 1) + 1;
    // Twice the items that a unit has on average, so that there are fewer cuts than units.
    const std::int64_t items = item_number(values, all.count), room = segmented_policy::most_cuts / 2;
    const std::int64_t most_cut = count() < room ? count() : room;
    cut_items = (2 * items / most_cut / step + 1) * step;
  }
  static constexpr std::int64_t step = 8192;  ///< which warps of any block share equally
  __device__ std::int64_t count() const { return (segments.count - 1) / size + 1; }
  __device__ unit_segments<Segments> operator[](std::int64_t unit) const {
    const std::int64_t first = unit * size, left = segments.count - first;
    unit_segments<Segments> own{segments, first};
    own.count = left < size ? segments.count : first + size;
    return own;
  }
};

template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segment_turns_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put, turns_state<Acc> state) {
  check_segmented_operator<Acc, Op>();
  constexpr int warps = BlockSize / warp_size;
  using scratch_type = segment_scratch<In, Acc>[warps];
  GPUPRIM_SHARED(scratch, scratch_type);
  GPUPRIM_SHARED(next, shared_array<unsigned, 2>);
  ptx::begin_kernel();
  detail::expects_order(segments);
  const this_block block;
  const warp_tile<warp_size> warp;
  const int rank = int(block.thread_rank()), in_block = detail::shuffle(warp, rank / warp_size, 0);
  const bounded_input<In> input{in, segments.first(), segments.last()};
  const segment_units<Segments> units(segments, std::int64_t(gridDim.x) * warps);
  const std::int64_t count = units.count();
  const unsigned turns = unsigned((count - 1) / warps + 1);
  unsigned turn = blockIdx.x;
  for (int odd = 0; in_all_lanes(turn < turns); turn = next[odd], odd ^= 1) {
    const std::int64_t unit = std::int64_t(turn) * warps + in_block;
    if (in_all_lanes(unit < count)) {
      const auto own = units[unit];
      segment_walk<Acc> walk{};
      walk.segment = own.begin_segment;
      walk.value = own.begin(walk.segment);
      walk.end = item_number(own.last(), own.count);
      walk.has_end = true;
      const std::int64_t items = walk.end - item_number(walk.value, walk.segment);
      if (in_all_lanes(items <= units.cut_items)) {
        detail::take_share(walk, input, own, put.op, scratch[in_block], put);
      } else {
        const unsigned cuts = unsigned((items - 1) / units.cut_items + 1);
        unsigned place = 0;
        if (ptx::lane() == 0) place = atomicAdd(state.listed, cuts);
        place = detail::shuffle(warp, place, 0);
        // There is room: a unit that is cut has at least cut_items, and so fewer than 2 * items / cut_items cuts, which
        // for all units together is at most `room`. Only offsets that decrease, and are no segments, could need more.
        for (unsigned i = ptx::lane(); i < cuts && place + i < state.most_cuts; i += warp_size) {
          state.cuts[place + i] = std::uint64_t(i) << 32 | std::uint64_t(unit);
        }
      }
    }
    if (rank == 0) next[odd] = draw(turns, state.drawn);
    block.sync();
  }
}

/// A block walks over its cut; within one segment its warps read side by side.
template <int BlockSize, class Acc, class In, class Segments, class Op, class Put>
__device__ __forceinline__ share_edges<Acc> walk_cut(std::int64_t item, std::int64_t end,
                                                     const bounded_input<In>& input, const Segments& segments,
                                                     const Op& op, const Put& put) {
  if constexpr (is_commutative<Op, Acc>) {
    const item_place place = segments.find(item);
    const std::int64_t stop = end - item_number(0, place.segment);
    if (in_all_lanes(item < end && place.segment < segments.count && segments.end(place.segment) >= stop)) {
      const monoid<Acc, Op> join{op};
      share_edges<Acc> all{};
      all.segment = place.segment;
      const auto total =
          reduce_part<BlockSize, Acc, segmented_policy::uneven_unit_loads>(input, place.value, stop, op, join);
      if (this_block::thread_rank() == 0) all.tail = maybe<Acc>(join.unwrap(total));
      return all;
    }
  }
  const std::int64_t per_warp = warp_share<In, Acc>(end - item, BlockSize / warp_size);
  return walk_by_warps<BlockSize, Acc>(item, per_warp, end, input, segments, op, put);
}

/// Blocks take the cuts in the order of the list, so that one waits for mail of cuts only that others have taken.
/// `turn_warps`: of the first launch.
template <int BlockSize, int BlocksPerMultiprocessor, class Acc, class In, class Segments, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    segment_cuts_kernel(In in, Segments segments, put_segment<Acc, Out, Op> put, turns_state<Acc> state,
                         int turn_warps) {
  GPUPRIM_SHARED(taken, unsigned);
  ptx::begin_kernel();
  const this_block block;
  const int rank = int(block.thread_rank());
  const unsigned most = state.most_cuts, all = ptx::load_relaxed(state.listed), listed = all < most ? all : most;
  if (listed == 0) return;
  block.sync();  // all have read it before their block comes for a cut: who comes last empties it
  const segment_units<Segments> units(segments, turn_warps);
  for (;;) {
    if (rank == 0) taken = atomicInc(state.taken, listed + gridDim.x - 1);  // 0 again in the end
    block.sync();
    const unsigned place = taken;
    if (place >= listed) break;
    const std::uint64_t cut = state.cuts[place];
    const int own = int(cut >> 32);
    const auto unit = units[std::int64_t(cut & 0xffffffffu)];
    const bounded_input<In> input{in, unit.begin(unit.begin_segment), unit.last()};
    const auto share = item_share::make(own, units.cut_items, item_number(input.first, unit.begin_segment),
                                        item_number(input.last, unit.count));
    const auto walk = [&](std::int64_t item, std::int64_t end) {
      return walk_cut<BlockSize, Acc>(item, end, input, unit, put.op, put);
    };
    detail::reduce_share<BlockSize>(share, unit, put.op, state.mailboxes + (place - unsigned(own)), put, walk);
    block.sync();
    if (rank == 0) state.cuts[place] = 0;
  }
  if (rank == 0 && taken == listed + gridDim.x - 1) ptx::store_relaxed(state.listed, 0);
}

}  // namespace gpuprim::detail
