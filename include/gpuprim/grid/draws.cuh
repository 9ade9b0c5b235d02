// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/grid/grid_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Gives the blocks of a grid numbers in the order in which they start, so that one may wait for those before it. The
/// whole block calls it, once a launch.
template <class Acc>
__device__ __forceinline__ int number_block(const grid_reduce_state<Acc>& state) {
  GPUPRIM_SHARED(number, int);
  const this_block block;
  if (block.thread_rank() == 0) number = int(atomicInc(state.arrivals, gridDim.x - 1));
  block.sync();
  return number;
}

/// The first of the next `batch` numbers that none of the `blocks` that draw has taken, or one that is not below
/// `count`. Each takes those of its index first, and draws once for each batch that it has taken: then the counter is 0
/// again in the end.
__device__ __forceinline__ unsigned draw(unsigned count, unsigned batch, unsigned blocks, unsigned* drawn) {
  const unsigned batches = (count - 1) / batch + 1;
  return batches > blocks ? (blocks + atomicInc(drawn, batches - 1)) * batch : count;
}

}  // namespace gpuprim::detail
