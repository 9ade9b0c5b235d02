// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/select/select_block.cuh>
#include <gpuprim/grid/tile_order.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// What the blocks of a select share: the order of tiles, and how many elements of each part every tile has.
template <int Parts>
struct select_look_back {
  static constexpr std::int64_t most_tiles = tile_order::most_tiles;

  tile_order order;
  tile_counts counts[Parts];
  int tiles;

  static constexpr std::int64_t bytes(std::int64_t tiles) {
    return tile_order::bytes + Parts * tile_counts::bytes(tiles);
  }
  static select_look_back lay_over(void* buffer, std::int64_t tiles) {
    select_look_back all{tile_order::lay_over(buffer), {}, int(tiles)};
    char* at = static_cast<char*>(buffer) + tile_order::bytes;
    for (tile_counts& counts : all.counts) {
      counts = tile_counts::lay_over(at);
      at += tile_counts::bytes(tiles);
    }
    return all;
  }

  /// The block works on no tile any more; the last one clears what all have shared.
  __device__ void leave() const {
    order.leave([&] {
#pragma unroll
      for (int p = 0; p < Parts; ++p) counts[p].clear(tiles);
    });
  }
};

/// Selects where there are many tiles. A block has several of them in shared memory: one whose elements it writes, the
/// next, which it looks for elements in, and others that are on their way. It publishes what it has found in the next
/// tile before it waits for what lies before the present one, so that blocks hardly wait for each other. The first turns
/// of a block have no tile yet to work on.
template <class Pass, int BlocksPerMultiprocessor>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    select_kernel(Pass pass, select_look_back<Pass::counted> shared_tiles) {
  using worker = select_worker<Pass>;
  using reader = tile_counts::reader<worker::block_size>;
  constexpr int parts = Pass::counted, stages = Pass::shape::stages;
  static_assert(stages >= 3);
  auto& shared = *dynamic_shared<select_shared<Pass>>();
  const this_block block;
  if (pass.n.is_in_device_memory()) ptx::wait_for_previous_grid();
  const worker self(pass, shared);
  if (self.rank == 0) {  // the first tiles are these, whichever block takes which
    detail::prefetch_tile(pass.source.in, self.first_of(int(blockIdx.x)), self.n, Pass::shape::tile_items);
  }
  ptx::begin_kernel();
  const std::int64_t behind = self.read_behind();
  if (self.tiles == 0 && blockIdx.x == 0) self.put_no_counts();
  if (self.rank == 0) {
    for (int i = 0; i < stages; ++i) ptx::begin_copy_rounds(&shared.rounds[i]);
    shared.drawn = shared_tiles.order.take();
  }
  block.sync();
  int tiles[stages];  // from the one to be loaded to the one to be written; -1 for none yet
#pragma unroll
  for (int i = 1; i < stages; ++i) tiles[i] = -1;
  tiles[0] = shared.drawn;
  constexpr int written = stages - 1, next = stages - 2;
  found_items<Pass> at{};
  std::int64_t before[parts] = {};
  int known = 0;        // the tile that `before` is of
  unsigned parity = 1;  // of the round in which the next tile comes
  for (int stage = 0; tiles[written] < self.tiles;) {
    const auto stage_behind = [&](int distance) { return stage + distance < stages ? stage + distance
                                                                                   : stage + distance - stages; };
    const int written_stage = stage_behind(1), next_stage = stage_behind(2);
    if (next_stage == 0) parity ^= 1;
    const bool is_written = tiles[written] >= 0, is_next = tiles[next] >= 0 && tiles[next] < self.tiles;
    int drawn = self.tiles;
    if (self.rank == 0 && tiles[0] < self.tiles) drawn = shared_tiles.order.take();
    typename reader::asked asked[parts];
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      asked[p] = reader{shared_tiles.counts[p], known, 0}.ask(is_written ? tiles[written] : known);
    }
    ptx::wait_for_groups<stages - 3>();
    block.sync();
    self.load(tiles[0], stage);
    found_items<Pass> found_next{};
    if (is_next) {
      self.wait(tiles[next], next_stage, parity);
      found_next = self.find(tiles[next], next_stage);
    }
    if (is_written) self.list(tiles[written], at);
    if (self.rank == 0) shared.drawn = drawn;
    block.sync();
    if (is_next) {
      self.join_warps(found_next);
      if (self.rank == 0) {
#pragma unroll
        for (int p = 0; p < parts; ++p) {
          shared_tiles.counts[p].publish(tiles[next], detail::unpack_count(found_next.all, p), pass.order);
        }
      }
    }
    if (is_written) {
#pragma unroll
      for (int p = 0; p < parts; ++p) {
        reader{shared_tiles.counts[p], known, 0}.gather(asked[p], tiles[written], shared.before[p]);
      }
      if (pass.order == publish_order::after_all) __threadfence();
    }
    block.sync();
    if (is_written) {
#pragma unroll
      for (int p = 0; p < parts; ++p) {
        reader now{shared_tiles.counts[p], known, before[p]};
        now.pass(tiles[written], shared.before[p]);
        before[p] = now.before;
      }
      known = tiles[written];
      self.put(tiles[written], written_stage, at, before, behind);
      self.put_counts(tiles[written], at, before);
    }
#pragma unroll
    for (int i = written; i > 0; --i) tiles[i] = tiles[i - 1];
    tiles[0] = shared.drawn;
    at = found_next;
    stage = stage_behind(1);
  }
  shared_tiles.leave();
}

}  // namespace gpuprim::detail
