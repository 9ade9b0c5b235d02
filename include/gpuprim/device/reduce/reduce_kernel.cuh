// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/reduce_input.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/grid/unordered_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// Whether lanes may keep values of their own, and begin with nothing.
template <class Op, class Acc>
inline constexpr bool folds_by_lane = is_commutative<Op, Acc> && has_identity<Op, Acc>;

/// The units of one warp, in ascending order: one, and from `next` on each `step`-th before `end`.
struct unit_share {
  std::int64_t unit, next, end;
  int step;

  GPUPRIM_HOST_DEVICE void advance() {
    unit = next;
    next += step;
  }
};

/// What a warp has where those of all blocks take `units` in turn. With SpreadsOddRound a round that is not whole is
/// the first one, which is dealt out to all blocks evenly, for some would else read for a round while others have
/// nothing; but if it is nearly whole, it is the last one, as units of a block that are neighbours are read faster:
/// 2^24 bytes 2 % (`kurtosis` 5 %).
template <bool SpreadsOddRound>
__device__ __forceinline__ unit_share deal_in_turn(std::int64_t units, int warps) {
  const int blocks = int(gridDim.x), block = int(blockIdx.x), warp = int(threadIdx.x / warp_size);
  const int all_warps = blocks * warps;
  int odd = 0;
  if constexpr (SpreadsOddRound) {
    odd = units > all_warps ? int(unsigned(units) % unsigned(all_warps)) : 0;  // any number would do
    if (odd > all_warps / 4 * 3) odd = 0;
  }
  const std::int64_t own = odd + block * warps + warp;
  if constexpr (SpreadsOddRound) {
    const int own_odd = warp * blocks + block;
    if (own_odd < odd) return {own_odd, own, units, all_warps};
  }
  return {own, own + all_warps, units, all_warps};
}

/// What the `number`-th of some takers has of the units from `first` to before `end`, of which each takes neighbours,
/// and none more than one more than another.
__device__ __forceinline__ unit_share share_evenly(std::int64_t first, std::int64_t end, int takers, int number) {
  const std::int64_t run = (end - first) / takers, longer = (end - first) % takers;
  const std::int64_t own = first + number * run + (number < longer ? number : longer);
  return {own, own + 1, own + run + (number < longer), 1};
}

/// Whether a round that is not whole is dealt out to all blocks. Of elements of 32 bytes and more it is not: those of
/// 32 would take 7 % less at 11.6 MiB, but 2 % more at 10, 19 and 23, those of 48 4 % less at 13.8 and 16 % more at 16.
template <class In>
inline constexpr bool spreads_odd_round = sizeof(input_value<In>) < 32;

/// Each lane keeps a running value; the block then joins those of all threads. The last warps, which have fewer units,
/// take the loads behind the complete ones, a row each, and the edges.
template <int BlockSize, class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ Acc fold_by_lane(const this_block& block, const reduce_input<In, LoadsPerThread>& input,
                                            unit_share share, const Op& op) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  constexpr int warps = BlockSize / warp_size;
  Acc total = static_cast<Acc>(identity_element<Op, Acc>::value());
  const std::int64_t warp_from_end = std::int64_t(gridDim.x - blockIdx.x) * warps - 1 - threadIdx.x / warp_size;
  // Loads before the units, and behind the complete ones. Where warps are fewer than rows, those of a last block have
  // more than one.
  constexpr int rows = 1 + (LoadsPerThread - 1) / warps;
  const std::int64_t in_units = input.complete_units() * input_type::unit_loads;
  const int odd_loads = int(input.loads - in_units), first_odd = int(warp_from_end) * warp_size + int(ptx::lane());
  const auto odd_number = [&](int row) { return first_odd + row * int(gridDim.x * BlockSize); };
  const auto odd_position = [&](int row) {
    const int number = odd_number(row);
    return input.position(number < input.lead() ? number : number + in_units);
  };
  const bool has_odd = odd_number(0) < odd_loads;
  // These, and head and tail, which fit one warp but for bytes with margins, are under way meanwhile.
  decltype(detail::load_input<T>(input.in, 0)) odd[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    if (odd_number(row) < odd_loads) odd[row] = detail::load_input<T>(input.in, odd_position(row));
  }
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
  for (; share.unit < share.end; share.advance()) {
    if constexpr (joins_units<In>) join_unit(total, input, share.unit, op);
    else total = op(total, gpuprim::thread_reduce(detail::load_unit<Acc>(input, share.unit, op), op));
  }
  // The warp asks as one: by each lane's own answer, ptxas would join the row before the units, for double, and so wait
  // for the counter of blocks too, which had been asked before.
  if (__any_sync(0xffffffffu, has_odd)) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const auto folded = [&] {
        return detail::fold_input<Acc>(input.in, detail::keep_load(odd[row]), odd_position(row), op);
      };
      if (odd_number(row) < odd_loads) total = op(total, folded());
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
  for (; share.unit < share.end; ++share.unit) {
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

/// One launch, any size: every warp folds its units, every block its warps, the last block all blocks.
///
/// With an operator that commutes and has an identity, a warp takes units in turn with others. Otherwise each warp
/// takes one contiguous run of units, and the order is kept.
/// The type of `state` says how the blocks meet.
template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op, class State>
__global__ void __launch_bounds__(BlockSize, 1)
    reduce_kernel(reduce_input<In, LoadsPerThread> input, Out out, Op op, Acc init, State state) {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::reduce: the operator's const operator() must take two values of the accumulator type and "
                "return one");
  constexpr int warps = BlockSize / warp_size;
  constexpr bool by_lane = folds_by_lane<Op, Acc>;
  const this_block block;
  ptx::let_next_grid_start();
  const std::int64_t all_warps = std::int64_t(gridDim.x) * warps;
  int warp_in_block = int(threadIdx.x / warp_size);
  // What a lane tells all others is the same for all of them: the compiler need not guard shuffles in branches on it.
  if constexpr (!by_lane) warp_in_block = __shfl_sync(0xffffffffu, warp_in_block, 0);
  const std::int64_t warp = std::int64_t(blockIdx.x) * warps + warp_in_block;
  const std::int64_t complete = input.complete_units();
  std::int64_t sharers = all_warps;
  unit_share share;
  if constexpr (by_lane) {
    share = deal_in_turn<spreads_odd_round<In>>(complete, warps);
  } else {
    const std::int64_t units = input.units();
    if (units > all_warps) {  // else there is nothing to divide; a short input would feel the time that it takes
      const unit_share of_block = share_evenly(0, units, int(gridDim.x), int(blockIdx.x));
      share = share_evenly(of_block.unit, of_block.end, warps, warp_in_block);
    } else {
      sharers = units > 0 ? units : 1;  // without a unit, the first warp has the edges
      share = {warp, warp + 1, warp < units ? warp + 1 : warp, 1};
    }
  }
  if (share.unit < complete && complete <= prefetched_units * all_warps) detail::prefetch_unit(input, share.unit);
  ptx::wait_for_previous_grid();
  if (input.n == 0) {
    if (block.thread_rank() == 0) *out = init;
    return;
  }
  grid_arrival arrival;
  if (block.thread_rank() == 0) arrival = gpuprim::arrive(state);
  auto fold = [&] {
    if constexpr (by_lane) return fold_by_lane<BlockSize, Acc>(block, input, share, op);
    else return detail::fold_in_order<BlockSize>(block, input, share, warp, sharers, op, init);
  };
  detail::grid_join_blocks<BlockSize, true>(
      block, fold(), op, state, [&](const Acc& all) { *out = op(init, all); }, arrival);
}

}  // namespace gpuprim::detail
