// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce/fold_units.cuh>

namespace gpuprim::detail {

/// One launch, any size: every warp folds its units, every block its warps, the last block all blocks.
///
/// With an operator that commutes and has an identity, a warp takes units in turn with others. Otherwise each warp
/// takes one contiguous run of units, and the order is kept.
/// `Meeting` says how the blocks join their values: by_mail or by_atomics.
template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op, class Meeting>
__global__ void __launch_bounds__(BlockSize, 1)
    reduce_kernel(reduce_input<In, LoadsPerThread> input, Out out, Op op, Acc init,
                  typename Meeting::template state<Acc> state) {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::reduce: the operator's const operator() must take two values of the accumulator type and "
                "return one");
  constexpr int warps = BlockSize / warp_size;
  constexpr bool by_lane = folds_by_lane<Op, Acc>;
  const this_block block;
  ptx::let_next_grid_start();
  const std::int64_t all_warps = std::int64_t(gridDim.x) * warps;
  int warp_in_block = int(threadIdx.x / warp_size);
  // A shuffled value is known to be equal in all lanes, so that the compiler need not guard shuffles in branches on it.
  if constexpr (!by_lane) warp_in_block = __shfl_sync(0xffffffffu, warp_in_block, 0);
  const std::int64_t warp = std::int64_t(blockIdx.x) * warps + warp_in_block;
  const std::int64_t complete = input.complete_units();
  std::int64_t sharers = all_warps;
  unit_share share;
  if constexpr (by_lane) {
    share = deal_in_turn<partial_round_of<In>>(complete, warps);
  } else {
    const std::int64_t units = input.units();
    if (units > all_warps) {  // a shorter input has nothing to divide, and divisions take long
      const unit_share of_block = share_evenly(0, units, int(gridDim.x), int(blockIdx.x));
      share = share_evenly(of_block.unit, of_block.end, warps, warp_in_block);
    } else {
      sharers = units > 0 ? units : 1;  // where there is no unit, the first warp has the edges
      share = {warp, warp + 1, warp < units ? warp + 1 : warp, 1};
    }
  }
  if (share.unit < complete && complete <= prefetched_units * all_warps) detail::prefetch_unit(input, share.unit);
  ptx::wait_for_previous_grid();
  if (input.n == 0) {
    if (block.thread_rank() == 0) *out = init;
    return;
  }
  typename Meeting::arrival arrival;
  if (block.thread_rank() == 0) arrival = Meeting::arrive(state);
  const auto finish = [&](const Acc& all) { *out = op(init, all); };
  if constexpr (by_lane) {
    const Acc own = detail::fold_by_lane<BlockSize, Acc>(block, input, share, op);
    Meeting::template join_blocks<BlockSize>(block, own, op, state, finish, arrival);
  } else {
    const Acc own = detail::fold_in_order<BlockSize>(block, input, share, warp, sharers, op, init);
    Meeting::template join_blocks<BlockSize>(block, own, op, state, finish, arrival);
  }
}

}  // namespace gpuprim::detail
