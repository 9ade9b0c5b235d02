// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which units of an input a warp has, and how a block folds them.
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/input/reduce_input.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Whether each lane keeps a running value, which begins with the identity.
template <class Op, class Acc>
inline constexpr bool folds_by_lane = is_commutative<Op, Acc> && has_identity<Op, Acc>;

/// The units of one warp, in ascending order: one, and from `next` on each `step`-th before `end`.
struct unit_share {
  std::int64_t unit, next, end;
  int step;

  GPUPRIM_HOST_DEVICE bool begins_before(std::int64_t other) const { return unit < other; }
  GPUPRIM_HOST_DEVICE bool has_unit() const { return begins_before(end); }
  GPUPRIM_HOST_DEVICE void advance() {
    unit = next;
    next += step;
  }
};

/// Position of the partial round, in which not every warp has a unit, where warps take units in turn.
enum class partial_round {
  last,          ///< all units of a block are neighbours
  spread_first,  ///< the first round, in which each block has as many units as others, and one more at most
};

/// The share of a warp where the warps of all blocks take `units` in turn. Spreading a partial round avoids load
/// imbalance between blocks. A nearly whole round stays the last, because a block reads neighbouring units faster.
template <partial_round Partial>
__device__ __forceinline__ unit_share deal_in_turn(std::int64_t units, int warps) {
  const int blocks = int(gridDim.x), block = int(blockIdx.x), warp = int(threadIdx.x / warp_size);
  const int all_warps = blocks * warps;
  int spread = 0;
  if constexpr (Partial == partial_round::spread_first) {
    spread = units > all_warps ? int(unsigned(units) % unsigned(all_warps)) : 0;  // any number would do
    if (spread > all_warps / 4 * 3) spread = 0;
  }
  const std::int64_t own = spread + block * warps + warp;
  if constexpr (Partial == partial_round::spread_first) {
    const int own_spread = warp * blocks + block;
    if (own_spread < spread) return {own_spread, own, units, all_warps};
  }
  return {own, own + all_warps, units, all_warps};
}

/// The share of the `number`-th of some takers in the units from `first` to before `end`: neighbouring units, and the
/// shares differ by at most one.
__device__ __forceinline__ unit_share share_evenly(std::int64_t first, std::int64_t end, int takers, int number) {
  const std::int64_t run = (end - first) / takers, longer = (end - first) % takers;
  const std::int64_t own = first + number * run + (number < longer ? number : longer);
  return {own, own + 1, own + run + (number < longer), 1};
}

/// A spread round is faster for long elements at some sizes, and slower by more at others; see docs/lab/reduce.md.
template <class In>
inline constexpr partial_round partial_round_of =
    sizeof(input_value<In>) < 32 ? partial_round::spread_first : partial_round::last;

/// Keeps the join of a load at this place. ptxas would otherwise move the join of doubles up, and so wait early for the
/// loads and the atomic operation before it.
template <class Packed>
__device__ __forceinline__ Packed keep_load(const Packed& packed) {
  return packed;
}
__device__ __forceinline__ uint4 keep_load(const uint4& packed) { return ptx::keep_whole(packed); }

/// An unspecified value to overwrite, of a type that may have no default constructor.
template <class Bytes>
__device__ __forceinline__ Bytes zero_bytes() {
  Bytes zero;
  std::memset(static_cast<void*>(detail::pointer_to(zero)), 0, sizeof zero);
  return zero;
}

/// Each lane keeps a running value; the block then joins those of all threads. The last warps, which have fewer
/// units, take the loads outside the complete units, a row each, and the edges.
template <int BlockSize, class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ Acc fold_by_lane(const this_block& block, const reduce_input<In, LoadsPerThread>& input,
                                            unit_share share, const Op& op) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  constexpr int warps = BlockSize / warp_size;
  Acc total = static_cast<Acc>(identity_element<Op, Acc>::value());
  const std::int64_t warp_from_end = std::int64_t(gridDim.x - blockIdx.x) * warps - 1 - threadIdx.x / warp_size;
  // The outer loads are those before the units and behind the complete ones. Where warps are fewer than rows, those
  // of a last block have more than one row of them.
  constexpr int rows = 1 + (LoadsPerThread - 1) / warps;
  const std::int64_t in_units = input.complete_units() * input_type::unit_loads;
  const int outer_loads = int(input.loads - in_units), first = int(warp_from_end) * warp_size + int(ptx::lane());
  const auto number = [&](int row) { return first + row * int(gridDim.x * BlockSize); };
  const auto is_there = [&](int row) { return number(row) < outer_loads; };
  const auto position = [&](int row) {
    return input.position(number(row) < input.lead() ? number(row) : number(row) + in_units);
  };
  const bool has_outer = is_there(0);
  // These, and head and tail, which one warp has but for bytes with margins, are in flight while units are folded.
  decltype(detail::load_input<input_value<In>>(input.in, 0)) outer[rows];
  detail::load_rows(outer, input.in, position, is_there);
  auto edge = zero_bytes<uninitialized_array<T, 1>>();
  std::int64_t edge_at = -1;
  if constexpr (input_type::has_edges) {
    const int lane = int(ptx::lane()), from_end = warp_size - lane;
    constexpr int head_warp = 2 * (input_type::load_items - 1 + input_type::margin_items) > warp_size ? 1 : 0;
    static_assert(head_warp < warps);
    const bool in_head = warp_from_end == head_warp && lane < input.head();
    const bool in_tail = warp_from_end == 0 && from_end <= input.tail();
    if (in_head || in_tail) edge_at = in_head ? lane : input.n - from_end;
    if (edge_at >= 0) edge[0] = input.in[edge_at];
  }
  for (; share.has_unit(); share.advance()) {
    const auto in_unit = [&](int row) { return input.position(input.load_index(share.unit, row)); };
    decltype(detail::load_input<input_value<In>>(input.in, 0)) loads[LoadsPerThread];
    detail::load_rows(loads, input.in, in_unit);
    if constexpr (joins_units<In>) input.in.join_unit(total, loads, in_unit, op);
    else total = op(total, gpuprim::thread_reduce(detail::fold_rows<Acc>(loads, input.in, in_unit, op), op));
  }
  // The condition is one for the whole warp. With one for each lane, ptxas would join rows of doubles before the
  // units, and so wait for the counter of blocks.
  if (__any_sync(0xffffffffu, has_outer)) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const auto folded = [&] {
        return detail::fold_input<Acc>(input.in, detail::keep_load(outer[row]), position(row), op);
      };
      if (is_there(row)) total = op(total, folded());
    }
  }
  if (edge_at >= 0) total = op(total, detail::make_accumulator<Acc>(input.in, edge[0], edge_at));
  if constexpr (joins_columns<BlockSize, Acc, Op>) return detail::block_reduce_columns<BlockSize>(block, total, op);
  else return gpuprim::block_reduce<BlockSize>(block, total, op);
}

/// Each warp reduces its units one by one, in order, the first one behind the head and the last one before the tail.
/// Only the first `sharers` warps of the grid have a share.
template <int BlockSize, class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ Acc fold_in_order(const this_block& block, const reduce_input<In, LoadsPerThread>& input,
                                             unit_share share, std::int64_t warp, std::int64_t sharers, const Op& op,
                                             const Acc& none) {
  using input_type = reduce_input<In, LoadsPerThread>;
  constexpr int warps = BlockSize / warp_size;
  Acc total = none;
  bool has_total = false;
  auto append = [&](const Acc& next) {
    total = has_total ? op(total, next) : next;
    has_total = true;
  };
  auto append_edge = [&](std::int64_t first, int count) {
    append(gpuprim::warp_all_reduce(warp_tile<warp_size>{}, load_edge(input.in, first, count, none), op, count));
  };
  if constexpr (input_type::has_edges) {
    if (warp == 0 && input.head() > 0) append_edge(0, input.head());
  }
  for (; share.has_unit(); ++share.unit) {
    const std::int64_t left = input.loads - share.unit * input_type::unit_loads;
    if (left >= input_type::unit_loads) {
      append(gpuprim::warp_all_reduce_rows(detail::load_unit<Acc>(input, share.unit, op), op));
    } else {
      append(gpuprim::warp_all_reduce_rows(detail::load_last_unit<Acc>(input, share.unit, op, none), op, int(left)));
    }
  }
  if constexpr (input_type::has_edges) {
    if (warp == sharers - 1 && input.tail() > 0) append_edge(input.n - input.tail(), input.tail());
  }
  if (sharers == 1) return total;  // of the first warp, which has the block's rank 0
  const std::int64_t valid_warps = sharers - std::int64_t(blockIdx.x) * warps;
  return block_join_warps<BlockSize>(block, total, op, valid_warps < warps ? int(valid_warps) : warps);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
