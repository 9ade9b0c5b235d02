// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/monoid.hpp>

namespace gpuprim {

/// What the blocks of one grid share: a slot for each block's value and a ticket that counts the blocks that are done.
/// The ticket must be zero before the first use and is zero again after each; concurrent grids need a state each.
template <class T>
struct grid_reduce_state {
  unsigned* ticket;
  T* block_values;
};

/// Bytes behind a `grid_reduce_state<T>` for a grid of up to `blocks` blocks; the ticket comes first.
template <class T>
GPUPRIM_HOST_DEVICE constexpr long long grid_reduce_bytes(long long blocks) {
  return 64 + blocks * (long long)(sizeof(T));
}

/// Lays a state over a buffer of `grid_reduce_bytes<T>(blocks)` bytes, aligned to 64 bytes, whose first 64 are zero.
template <class T>
GPUPRIM_HOST_DEVICE grid_reduce_state<T> make_grid_reduce_state(void* buffer) {
  static_assert(alignof(T) <= 64, "gpuprim::grid_reduce: the element type may be aligned to 64 bytes at most");
  return {static_cast<unsigned*>(buffer), reinterpret_cast<T*>(static_cast<char*>(buffer) + 64)};
}

/// Reduces one value a block over the whole grid in one launch: the block that finishes last joins the values of all
/// blocks in block order, then calls `finish(total)` in exactly one thread of the grid.
///
/// @pre   Called by all threads of all blocks of a one-dimensional grid, at most once a launch for a state;
///        `value` counts in rank 0 of each block; every block has BlockSize threads. No cooperative launch is needed.
/// @sync  block barriers; writes that the block's rank 0 made before the call are visible to `finish`.
/// @order kept: blocks by blockIdx.x. The result does not depend on which block is last.
/// @cost  one store, one fence and one atomic a block; the last block reads gridDim.x values.
/// @return nothing; `finish` gets op over the blocks' values.
/// @source CUDA samples, threadFenceReduction.
/// @example examples/03_grid.cu
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_reduce(const Block& block, T value, const Op& op, grid_reduce_state<T> state,
                                            Finish finish) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  const int rank = int(block.thread_rank());
  const int blocks = int(gridDim.x);
  if (blocks == 1) {
    if (rank == 0) finish(value);
    return;
  }
  GPUPRIM_SHARED(is_last, bool);
  if (rank == 0) {
    state.block_values[blockIdx.x] = value;
    __threadfence();  // the value before the ticket
    is_last = atomicInc(state.ticket, unsigned(blocks - 1)) == unsigned(blocks - 1);
    __threadfence();  // the ticket before the other blocks' values
  }
  block.sync();
  if (!is_last) return;
  // Each thread folds a run of neighbouring blocks, then the block folds the runs: the order is kept throughout.
  const detail::monoid<T, Op> join{op};
  const int threads = detail::block_threads<BlockSize>(block);
  const int run = (blocks + threads - 1) / threads;
  auto total = join.empty();
  for (int i = rank * run; i < min(rank * run + run, blocks); ++i) total = join(total, state.block_values[i]);
  total = block_reduce<BlockSize>(block, total, join);
  if (rank == 0) finish(join.unwrap(total));
}

}  // namespace gpuprim
