// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/run_contents.cuh>

namespace gpuprim::detail {

/// Tiles of a pass over n keys. The last one is never full: behind the keys in it stands a boundary that ends the last run.
template <class Shape>
GPUPRIM_HOST_DEVICE constexpr std::int64_t count_run_tiles(std::int64_t n) { return n / Shape::tile_items + 1; }

/// A block's shared memory.
template <class Shape, class Key, class Contents>
struct run_shared {
  tile_buffer<Key, Shape::tile_items> keys;
  typename Contents::template tile<Shape::block_size, Shape::items>::storage contents;
  std::uint16_t positions[Shape::tile_items];  ///< of boundaries
  int counts[Shape::warps], next_counts[Shape::warps];
  int tile, next_tile;
  std::int64_t runs_before;
  shared_array<open_part<typename Contents::carry>, 1> open;
  bool is_open;
};

/// Finds a thread's boundaries in a tile of which `valid` keys exist: bit k says that a run begins with its key k. What
/// is behind the end is a run each, so that nothing there is joined.
template <int Items, class Key, class Equal>
__device__ __forceinline__ unsigned find_heads(const Key* keys, int rank, int valid, const Equal& equal) {
  const auto own = read_items<Items>(keys, rank);
  unsigned heads = equal(keys[rank * Items - 1], own[0]) ? 0 : 1;
#pragma unroll
  for (int k = 1; k < Items; ++k) {
    if (!equal(own[k - 1], own[k])) heads |= 1u << k;
  }
  const int existing = valid - rank * Items;
  if (existing < Items) heads |= (0xffffffffu >> (warp_size - Items)) & (0xffffffffu << (existing > 0 ? existing : 0));
  return heads;
}

/// Finds the runs of equal keys. Blocks take tiles in order. A tile's boundaries are counted, and the count is told, while
/// the block works on the tile before, so that hardly anything has to be waited for when the tile itself comes: it is read
/// again then, from the L2 cache; boundaries are listed and what goes with the keys is joined run by run. The runs that
/// begin in the tile write their keys, and those that end in it their contents.
template <int BlockSize, int BlocksPerMultiprocessor, int Items, class Keys, class Contents, class UniqueOut,
          class RunsOut, class Equal>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    run_kernel(Keys keys, Contents contents, std::int64_t n, UniqueOut unique_out, RunsOut runs_out, Equal equal,
               tile_chain<typename Contents::mail> chain) {
  using Key = input_value<Keys>;
  using carry = typename Contents::carry;
  using shape = run_shape<BlockSize, Items>;
  constexpr int tile_items = shape::tile_items;
  auto& shared = *dynamic_shared<run_shared<shape, Key, Contents>>();
  const typename Contents::template tile<BlockSize, Items> own{contents, shared.contents};
  Key* const tile_keys = shared.keys.data();
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  if (n == 0) {
    if (rank == 0) *runs_out = 0;
    return;
  }
  const int tiles = int(count_run_tiles<shape>(n));  // the host has made sure that there are not more
  // Of the last tile nobody needs the count.
  const auto count_ahead = [&](int tile) {
    int changes = tile < tiles - 1 ? count_changes<BlockSize, Items>(keys, std::int64_t(tile) * tile_items, equal) : 0;
    changes = warp_all_reduce(warp_tile<warp_size>{}, changes, plus<int>{});
    if (rank % warp_size == 0) shared.next_counts[rank / warp_size] = changes;
  };
  const auto tell_ahead = [&](int tile) {
    if (rank > 0 || tile >= tiles - 1) return;
    int begun = 0;
    for (int changes : shared.next_counts) begun += changes;
    chain.tell_count(tile, std::uint64_t(begun));
  };
  // A grid that has a block for each tile needs no more than one a block.
  const auto take_next = [&] { return int(gridDim.x) < tiles ? int(chain.take_tile()) : tiles; };
  if (rank == 0) shared.tile = int(chain.take_tile());
  block.sync();
  if (rank == 0) shared.next_tile = take_next();
  block.sync();
  bool is_first = true;
  while (shared.tile < tiles) {
    const int tile = shared.tile, next_tile = shared.next_tile;
    const std::int64_t base = std::int64_t(tile) * tile_items;
    const int valid = n - base < tile_items ? int(n - base) : tile_items;
    copy_tile<BlockSize, Items>(keys, base, n, tile_keys);
    own.copy(base, n);
    if (rank == 0) tile_keys[-1] = keys[base > 0 ? base - 1 : 0];
    count_ahead(next_tile);
    ptx::wait_for_copies();
    block.sync();

    tell_ahead(next_tile);
    run_place at{rank, int(ptx::lane()), rank / warp_size, find_heads<Items>(tile_keys, rank, valid, equal), 0, 0};
    if (base + rank == 0) at.heads |= 1;
    at.lane_heads = __ballot_sync(0xffffffffu, at.heads != 0);
    const int count = __popc(at.heads), count_up_to = sum_up_to_lane(count);
    if (at.lane == warp_size - 1) shared.counts[at.warp] = count_up_to;
    block.sync();

    const int warp_count = at.lane < shape::warps ? shared.counts[at.lane] : 0;
    const int warps_up_to = sum_up_to_lane<shape::warps>(warp_count);
    at.warp_heads = __ballot_sync(0xffffffffu, warp_count > 0);
    const int boundaries = __shfl_sync(0xffffffffu, warps_up_to, shape::warps - 1);
    const int warps_before = __shfl_sync(0xffffffffu, warps_up_to, at.warp > 0 ? at.warp - 1 : 0);
    const int begun = boundaries - (tile_items - valid), ended = begun + (valid < tile_items);
    if (is_first && rank == 0) chain.tell_count(tile, std::uint64_t(begun));
    is_first = false;
    own.prefetch(std::int64_t(next_tile) * tile_items, n);
    int slot = (at.warp > 0 ? warps_before : 0) + count_up_to - count;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      if (at.heads >> k & 1) shared.positions[slot++] = std::uint16_t(rank * Items + k);
    }
    const auto open = own.join(at);
    if (rank == 0) chain.open[tile].send(open, begun > 0);
    int after_next = 0;
    if (at.warp == 0) {
      const std::uint64_t before = chain.sum_before(tile);
      if (at.lane == 0) {
        chain.tell_sum(tile, before + std::uint64_t(begun));
        shared.runs_before = std::int64_t(before);
        after_next = take_next();
      }
    }
    block.sync();

    const std::int64_t runs_before = shared.runs_before;
#pragma unroll 4
    for (int i = rank; i < begun; i += BlockSize) unique_out[runs_before + i] = tile_keys[shared.positions[i]];
    own.put(shared.positions, runs_before - 1, ended, rank);
    if (tile == tiles - 1 && rank == 0) *runs_out = runs_before + begun;
    // Last of all what depends on the tile before.
    if (at.warp == shape::warps - 1) {
      open_part<carry> before{{}, true};
      const bool ends_run = tile > 0 && ended > 0;
      if (ends_run) before = chain.template open_in_warp<carry>(tile, contents.op);
      if (at.lane == 0) {
        if (ends_run && before.closed) own.put_first(runs_before - 1, shared.positions[0], before.value.value);
        shared.is_open = !before.closed;
        shared.open[0] = before;
      }
    }
    if (rank == 0) {
      shared.tile = next_tile;
      shared.next_tile = after_next;
    }
    block.sync();
    if (shared.is_open) {
      const open_part<carry> before =
          chain.template open_in_block<BlockSize>(tile - warp_size, shared.open[0], contents.op);
      if (rank == 0) own.put_first(runs_before - 1, shared.positions[0], before.value.value);
      block.sync();
    }
  }
  chain.leave(tiles);
}

}  // namespace gpuprim::detail
