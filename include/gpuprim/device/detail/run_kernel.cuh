// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/run_contents.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::detail {

/// Tiles of a pass over n keys. The last one is never full: behind the keys in it stands a boundary that ends the last run.
template <class Shape>
GPUPRIM_HOST_DEVICE constexpr std::int64_t count_run_tiles(std::int64_t n) { return n / Shape::tile_items + 1; }

/// Finds the runs of equal keys. Blocks take tiles in order, and each tile is read once: boundaries between keys are
/// counted, what goes with the keys is joined run by run, and as soon as it is known how many runs begin before the tile,
/// the runs that begin in it write their keys, and those that end in it their contents.
template <int BlockSize, int BlocksPerMultiprocessor, int Items, class Keys, class Contents, class UniqueOut,
          class RunsOut, class Equal>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    run_kernel(Keys keys, Contents contents, std::int64_t n, UniqueOut unique_out, RunsOut runs_out, Equal equal,
               tile_chain<typename Contents::mail> chain) {
  using Key = input_value<Keys>;
  using carry = typename Contents::carry;
  using shape = run_shape<BlockSize, Items>;
  constexpr int tile_items = shape::tile_items;
  using content_tile = typename Contents::template tile<BlockSize, Items>;
  struct shared_state {
    tile_buffer<Key, Key, tile_items> keys;  ///< and then the keys of the runs that begin
    typename content_tile::storage contents;
    int counts[shape::warps];
    std::int64_t next_tile, runs_before;
    shared_array<open_part<carry>, 1> open;
    bool starts_with_head;
  };
  GPUPRIM_SHARED(shared, shared_state);
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  if (n == 0) {
    if (rank == 0) *runs_out = 0;
    return;
  }
  const std::int64_t tiles = count_run_tiles<shape>(n);
  if (rank == 0) shared.next_tile = chain.take_tile();
  block.sync();
  while (shared.next_tile < tiles) {
    const std::int64_t tile = shared.next_tile, base = tile * tile_items;
    const int valid = n - base < tile_items ? int(n - base) : tile_items;
    copy_tile<BlockSize, Items>(keys, base, n, shared.keys.in());
    content_tile::copy(contents, base, n, shared.contents);
    if (rank == 0) shared.keys.in()[-1] = keys[base > 0 ? base - 1 : 0];
    ptx::wait_for_copies();
    block.sync();

    run_place at{rank, int(ptx::lane()), rank / warp_size, 0, 0, 0, 0};
    const auto own_keys = read_items<Items>(shared.keys.in(), rank);
    at.heads = equal(shared.keys.in()[rank * Items - 1], own_keys[0]) ? 0 : 1;
    if (tile == 0 && rank == 0) at.heads = 1;
#pragma unroll
    for (int k = 1; k < Items; ++k) {
      if (!equal(own_keys[k - 1], own_keys[k])) at.heads |= 1u << k;
    }
    if (valid < tile_items) {  // what is behind the end is a run each, so that nothing is joined
      const int own = valid - rank * Items;
      if (own < Items) at.heads |= (0xffffffffu >> (warp_size - Items)) & (0xffffffffu << (own > 0 ? own : 0));
    }
    if (rank == 0) shared.starts_with_head = (at.heads & 1) != 0;
    at.lane_heads = __ballot_sync(0xffffffffu, at.heads != 0);
    const int count = __popc(at.heads), count_up_to = sum_up_to_lane(count);
    if (at.lane == warp_size - 1) shared.counts[at.warp] = count_up_to;
    content_tile own(contents, at, shared.contents);
    block.sync();  // all items are in registers, and the totals of the warps there

    const int warp_count = at.lane < shape::warps ? shared.counts[at.lane] : 0;
    const int warps_up_to = sum_up_to_lane<shape::warps>(warp_count);
    at.warp_heads = __ballot_sync(0xffffffffu, warp_count > 0);
    const int boundaries = __shfl_sync(0xffffffffu, warps_up_to, shape::warps - 1);
    const int warps_before = __shfl_sync(0xffffffffu, warps_up_to, at.warp > 0 ? at.warp - 1 : 0);
    at.slot = (at.warp > 0 ? warps_before : 0) + count_up_to - count;
    const int begun = boundaries - (tile_items - valid), ended = begun + (valid < tile_items);
    const auto open = own.join_warps(contents, at, shared.contents);
    if (rank == 0) {
      chain.tell_count(tile, std::uint64_t(begun));
      chain.open[tile].send(open, begun > 0);
    }
    int slot = at.slot;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      if (at.heads >> k & 1) {
        shared.keys.in()[slot] = own_keys[k];
        own.stage(k, slot, shared.contents);
        ++slot;
      }
    }
    own.finish_stage(contents, at, shared.contents);
    if (at.warp == shape::warps - 1) {
      std::int64_t next = 0;
      if (at.lane == 0) next = chain.take_tile();
      open_part<carry> before{{}, true};
      if (tile > 0 && ended > 0) before = chain.template open_in_warp<carry>(tile, contents.op);
      if (at.lane == 0) {
        shared.open[0] = before;
        shared.next_tile = next;
      }
    }
    if (at.warp == 0) {
      const std::uint64_t before = chain.sum_before(tile);
      if (at.lane == 0) {
        chain.tell_sum(tile, before + std::uint64_t(begun));
        shared.runs_before = std::int64_t(before);
      }
    }
    block.sync();

    const std::int64_t runs_before = shared.runs_before;
    open_part<carry> before = shared.open[0];
    if (!before.closed) {  // rank 0 needs it alone
      before = chain.template open_in_block<BlockSize>(tile - warp_size, before, contents.op);
    }
#pragma unroll 4
    for (int i = rank; i < begun; i += BlockSize) unique_out[runs_before + i] = shared.keys.in()[i];
    content_tile::put(contents, runs_before - 1, ended, shared.starts_with_head, before.value, rank, shared.contents);
    if (tile == tiles - 1 && rank == 0) *runs_out = runs_before + begun;
    block.sync();
  }
  chain.leave(tiles);
}

}  // namespace gpuprim::detail
