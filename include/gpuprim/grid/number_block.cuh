// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/grid/grid_reduce.cuh>

namespace gpuprim::detail {

/// Gives the blocks of a grid numbers in the order in which they start, so that one may wait for those before
/// it. The whole block calls it, once a launch.
template <class Acc>
__device__ __forceinline__ int number_block(const grid_reduce_state<Acc>& state) {
  GPUPRIM_SHARED(number, int);
  const this_block block;
  if (block.thread_rank() == 0) number = int(atomicInc(state.arrivals, gridDim.x - 1));
  block.sync();
  return number;
}

}  // namespace gpuprim::detail
