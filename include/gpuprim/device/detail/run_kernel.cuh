// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/run_contents.cuh>

namespace gpuprim::detail {

/// Tiles of a pass over n keys. The last one is never full: behind the keys in it stands a boundary that ends the last
/// run.
template <class Shape>
GPUPRIM_HOST_DEVICE constexpr std::int64_t count_run_tiles(std::int64_t n) { return n / Shape::tile_items + 1; }

/// What a thread keeps of a tile to write it later: the results rank, rank + block size and so on.
template <class Key, class Part, int Count>
struct run_results {
  uninitialized_array<Key, Count> keys;
  uninitialized_array<Part, Count> parts;
};

/// A block's shared memory.
template <class Shape, class Key, class Contents>
struct run_shared {
  tile_buffer<Key, Shape::tile_items> keys[Shape::stages];
  typename Contents::template tile<Shape::block_size, Shape::items, Shape::stages>::storage contents;
  std::uint16_t positions[Shape::tile_items];  ///< of boundaries
  int counts[Shape::warps];
  int drawn;
  std::uint64_t runs_before[Shape::warps];  ///< by each warp
  shared_array<open_part<typename Contents::carry>, 1> open;
  bool is_open, is_last;
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

/// Finds the runs of equal keys. Blocks take tiles in order; while a block works on one, its next ones are on their way
/// to shared memory. Of a tile that has come the boundaries are found and their count is told before the tile ahead of
/// it is written, so that hardly anything has to be waited for when its own turn comes. Then boundaries are listed and
/// what goes with the keys is joined run by run. The runs that begin in the tile write their keys, and those that end
/// in it their contents.
template <class Shape, int BlocksPerMultiprocessor, class Keys, class Contents, class UniqueOut, class RunsOut,
          class Equal>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    run_kernel(Keys keys, Contents contents, std::int64_t n, UniqueOut unique_out, RunsOut runs_out, Equal equal,
               tile_chain<typename Contents::mail> chain) {
  using Key = input_value<Keys>;
  using mail = typename Contents::mail;
  using carry = typename Contents::carry;
  using part = typename Contents::part;
  constexpr int block_size = Shape::block_size, items = Shape::items, stages = Shape::stages, warps = Shape::warps;
  constexpr int tile_items = Shape::tile_items;
  constexpr int kept_count = (items + 11) / 12;  // enough for runs of 12 keys and more
  auto& shared = *dynamic_shared<run_shared<Shape, Key, Contents>>();
  const auto contents_at = [&](int stage) {
    return typename Contents::template tile<block_size, items, stages>{contents, shared.contents, stage};
  };
  const this_block block;
  const int rank = int(block.thread_rank()), lane = int(ptx::lane()), warp = rank / warp_size;
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  if (n == 0) {
    if (rank == 0) *runs_out = 0;
    return;
  }
  const int tiles = int(count_run_tiles<Shape>(n));  // the host has made sure that there are not more
  const auto count_valid = [&](int tile) {
    const std::int64_t left = n - std::int64_t(tile) * tile_items;
    return left < tile_items ? int(left) : tile_items;
  };
  // A grid that has a block for each tile needs no more than one a block.
  const auto take_next = [&] { return int(gridDim.x) < tiles ? int(chain.take_tile()) : tiles; };
  const auto load = [&](int tile, int stage) {
    if (tile < tiles) {
      const std::int64_t base = std::int64_t(tile) * tile_items;
      Key* const to = shared.keys[stage].data();
      copy_tile<block_size, items>(keys, base, n, to);
      contents_at(stage).copy(base, n);
      if (rank == 0) copy_one(keys, base > 0 ? base - 1 : 0, to - 1);
    }
    ptx::end_copy_group();
  };
  const auto find = [&](int tile, int stage) {
    const int valid = count_valid(tile);
    run_place at{rank, lane, warp, find_heads<items>(shared.keys[stage].data(), rank, valid, equal), 0, 0, 0, 0, 0};
    if (tile == 0 && rank == 0) at.heads |= 1;
    at.lane_heads = __ballot_sync(0xffffffffu, at.heads != 0);
    const int count = __popc(at.heads), count_up_to = sum_up_to_lane(count);
    if (lane == warp_size - 1) shared.counts[warp] = count_up_to;
    block.sync();
    const int warp_count = lane < warps ? shared.counts[lane] : 0, warps_up_to = sum_up_to_lane<warps>(warp_count);
    at.warp_heads = __ballot_sync(0xffffffffu, warp_count > 0);
    const int boundaries = __shfl_sync(0xffffffffu, warps_up_to, warps - 1);
    const int warps_before = __shfl_sync(0xffffffffu, warps_up_to, warp > 0 ? warp - 1 : 0);
    at.slot = (warp > 0 ? warps_before : 0) + count_up_to - count;
    at.begun = boundaries - (tile_items - valid);
    at.ended = at.begun + (valid < tile_items);
    if (rank == 0) chain.tell_count(tile, unsigned(at.begun));
    return at;
  };

  int queue[stages];  // the block's tiles in shared memory
#pragma unroll
  for (int k = 0; k < stages; ++k) {
    if (rank == 0) shared.drawn = k == 0 ? int(chain.take_tile()) : take_next();
    block.sync();
    queue[k] = shared.drawn;
    load(queue[k], k);
    block.sync();
  }
  run_place at{};
  if (queue[0] < tiles) {
    ptx::wait_for_groups<stages - 1>();
    block.sync();
    at = find(queue[0], 0);
  }
  // What lies before a tile is known only when the blocks of the tiles before have told it. Nothing waits for that
  // long: a tile that has few results keeps them in registers until the block works on its next tile, and so does every
  // tile with what its first run has of it.
  std::int64_t runs_before = 0;
  int counted = 0;  // tile that runs_before is of
  const auto count_before = [&](int tile, const auto& asked) {
    const std::uint64_t sum = chain.template sum_counts<block_size>(asked, counted, tile);
    counted = tile;
    if (lane == 0) shared.runs_before[warp] = sum;
    block.sync();
#pragma unroll
    for (int i = 0; i < warps; ++i) runs_before += std::int64_t(shared.runs_before[i]);
  };
  const auto put_first = [&](std::int64_t run, const maybe<part>& of_tile, const carry& before) {
    contents.out[run] = of_tile.present ? contents.op(before, carry(of_tile.value)) : before;
  };
  // The first warp ends the run that ends with a tile's first boundary.
  const auto close_first = [&](int tile, const mailbox<mail>& seen, const maybe<part>& of_tile) {
    if (warp > 0) return;
    open_part<carry> before{{}, true};
    if (tile > 0) before = chain.template open_in_warp<carry>(seen, tile, contents.op);
    if (rank > 0) return;
    shared.is_open = !before.closed;
    if (!before.closed) shared.open[0] = before;
    else if (tile > 0) put_first(runs_before - 1, of_tile, before.value.value);
  };
  // After a barrier the block does, if that run goes over many tiles.
  const auto close_open = [&](int tile, std::int64_t run, const maybe<part>& of_tile) {
    if (!shared.is_open) return;
    const auto before = chain.template open_in_block<block_size>(tile - warp_size, shared.open[0], contents.op);
    if (rank == 0) {
      put_first(run, of_tile, before.value.value);
      shared.is_open = false;
    }
    block.sync();
  };
  const auto ask_open = [&](int tile) { return warp == 0 && tile > 0 ? chain.look_before(tile) : mailbox<mail>{}; };

  run_results<Key, part, kept_count> kept;
  std::memset(static_cast<void*>(&kept), 0, sizeof kept);
  int kept_tile = -1, kept_begun = 0, kept_ended = 0;
  int first_tile = 0;  // whose first run is not yet put, or 0
  maybe<part> kept_first;
  if (rank == 0) shared.is_open = shared.is_last = false;
  for (int stage = 0; queue[0] < tiles;) {
    const int tile = queue[0], next_tile = queue[1], next_stage = stage + 1 < stages ? stage + 1 : 0;
    const int begun = at.begun, ended = at.ended;
    const bool is_last_tile = next_tile >= tiles, keep = ended <= kept_count * block_size && !is_last_tile;
    const auto own = contents_at(stage);
    const Key* const tile_keys = shared.keys[stage].data();
    int drawn = tiles;
    if (rank == 0 && !is_last_tile) drawn = take_next();
    auto asked = chain.template ask_counts<block_size>(counted, kept_tile);
    auto seen = ask_open(first_tile);
    int slot = at.slot;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (at.heads >> k & 1) shared.positions[slot++] = std::uint16_t(rank * items + k);
    }
    const auto open = own.join(at);
    if (rank == 0) chain.open[tile].send(open, at.begun > 0);
    if (!keep && kept_tile < 0) asked = chain.template ask_counts<block_size>(counted, tile);
    ptx::wait_for_groups<stages - 2>();
    block.sync();

    auto now = kept;
    maybe<part> first;
    if (rank == 0 && ended > 0 && shared.positions[0] > 0) first = maybe<part>(own.ended(shared.positions, 0));
    if (keep) {
#pragma unroll
      for (int k = 0; k < kept_count; ++k) {
        const int i = k * block_size + rank;
        if (i < begun) now.keys[k] = tile_keys[shared.positions[i]];
        if (i < ended && i > 0) now.parts[k] = own.ended(shared.positions, i);
      }
    }
    if (!is_last_tile) at = find(next_tile, next_stage);
    if (kept_tile >= 0) {
      count_before(kept_tile, asked);
#pragma unroll
      for (int k = 0; k < kept_count; ++k) {
        const int i = k * block_size + rank;
        if (i < kept_begun) unique_out[runs_before + i] = kept.keys[k];
        if (i < kept_ended && i > 0) contents.out[runs_before - 1 + i] = kept.parts[k];
      }
    }
    const std::int64_t first_run = runs_before - 1;
    close_first(first_tile, seen, kept_first);
    if (!keep) {
      if (is_last_tile) seen = ask_open(ended > 0 ? tile : 0);
      if (is_last_tile || kept_tile >= 0) {
        if (kept_tile >= 0) asked = chain.template ask_counts<block_size>(counted, tile);
        block.sync();
        close_open(first_tile, first_run, kept_first);
      }
      count_before(tile, asked);
      if (is_last_tile) {
        // Told and looked at is all by now; the rest is not waited for.
        close_first(ended > 0 ? tile : 0, seen, first);
        if (rank == 0) {
          if (tile == tiles - 1) *runs_out = runs_before + begun;
          if (!shared.is_open) shared.is_last = chain.leave();
        }
      }
#pragma unroll 4
      for (int i = rank; i < begun; i += block_size) unique_out[runs_before + i] = tile_keys[shared.positions[i]];
#pragma unroll 4
      for (int i = rank == 0 ? block_size : rank; i < ended; i += block_size) {
        contents.out[runs_before - 1 + i] = own.ended(shared.positions, i);
      }
    }
    if (rank == 0) shared.drawn = drawn;
    block.sync();
    if (is_last_tile) {
      if (shared.is_open) {
        close_open(tile, runs_before - 1, first);
        if (rank == 0) shared.is_last = chain.leave();
      }
      break;
    }
    close_open(first_tile, first_run, kept_first);
    kept = now;
    kept_first = first;
    kept_tile = keep ? tile : -1;
    kept_begun = begun;
    kept_ended = ended;
    first_tile = ended > 0 ? tile : 0;
#pragma unroll
    for (int k = 0; k < stages - 1; ++k) queue[k] = queue[k + 1];
    queue[stages - 1] = shared.drawn;
    load(queue[stages - 1], stage);
    stage = next_stage;
  }
  if (queue[0] >= tiles && rank == 0) shared.is_last = chain.leave();  // a block that came too late for any
  block.sync();
  if (shared.is_last) chain.clear(tiles);
}

}  // namespace gpuprim::detail
