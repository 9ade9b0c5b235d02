// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/select/select_block.cuh>
#include <gpuprim/grid/tile_mail.cuh>
#include <gpuprim/grid/tile_order.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Selects where all tiles are on the GPU at once. Each block takes one tile, by ticket, and waits once for the counts
/// of the tiles before it. A block that is alone draws no ticket and needs no workspace.
template <class Shape, class Pass>
__global__ void __launch_bounds__(Shape::block_size, Shape::blocks)
    select_few_kernel(Pass pass, tile_mail<part_counts<Pass::counted>> mail) {
  using worker = select_worker<Shape, Pass>;
  using packed = part_counts<Pass::counted>;
  constexpr int parts = Pass::counted;
  auto& shared = *dynamic_shared<select_shared<Shape, Pass>>();
  const this_block block;
  const worker self(pass, shared);
  self.prefetch_first();
  ptx::begin_kernel();
  const std::int64_t behind = self.read_behind();
  if (self.tiles == 0) {
    self.put_no_counts();
    return;
  }
  const bool is_alone = gridDim.x == 1;
  if (!is_alone) {
    if (self.rank == 0) shared.drawn = mail.take();
    block.sync();
  }
  const int tile = is_alone ? 0 : shared.drawn, stage = 0;
  self.load(tile, stage);
  ptx::wait_for_groups<0>();
  block.sync();
  auto at = self.find(tile, stage);
  block.sync();
  self.join_warps(at);
  if (self.rank == 0) self.prefetch_values(tile, at);
  self.list(tile, at);
  std::int64_t before[parts] = {};
  if (is_alone) {
    block.sync();  // `exchange` has a barrier too, behind which all places are listed
  } else {
    if (pass.order == publish_order::after_all) __threadfence();
    const packed sum = mail.template exchange<worker::block_size>(
        tile, at.all, 0, identity_monoid<packed, plus<packed>>{}, [](const auto& got) { return got.value(); });
    if (pass.order == publish_order::after_all) {  // whatever earlier tiles have read, no thread writes before that
      __threadfence();
      block.sync();
    }
#pragma unroll
    for (int p = 0; p < parts; ++p) before[p] = detail::unpack_count(sum, p);
  }
  self.put(tile, stage, at, before, behind);
  self.put_counts(tile, at, before);
}

template <int Parts>
using select_look_back = tile_look_back<tile_part_counts<Parts>>;

/// Selects where there are many tiles. A block has three of them in shared memory: one whose elements it writes, the
/// next, in which it looks for elements, and one that is on its way. It publishes what it has found in the next tile
/// before it waits for what lies before the present one, so that blocks hardly wait for each other. The first turns of
/// a block have no tile yet to work on.
template <class Shape, class Pass>
__global__ void __launch_bounds__(Shape::block_size, Shape::blocks)
    select_kernel(Pass pass, select_look_back<Pass::counted> shared_tiles) {
  using worker = select_worker<Shape, Pass>;
  using reader = tile_counts::reader<worker::block_size>;
  const auto counts = gpuprim::get<0>(shared_tiles.states);
  constexpr int parts = Pass::counted, stages = Shape::stages;
  static_assert(stages == 3);
  auto& shared = *dynamic_shared<select_shared<Shape, Pass>>();
  const this_block block;
  if (pass.n.is_in_device_memory()) ptx::wait_for_previous_grid();
  const worker self(pass, shared);
  self.prefetch_first();
  ptx::begin_kernel();
  const std::int64_t behind = self.read_behind();
  if (self.tiles == 0 && blockIdx.x == 0) self.put_no_counts();
  if (self.rank == 0) {
    for (int i = 0; i < stages; ++i) ptx::begin_copy_rounds(&shared.rounds[i]);
    shared.drawn = shared_tiles.order.take();
  }
  block.sync();
  int tile = -1, next = -1, coming = shared.drawn;  // -1 for none yet
  typename worker::found at{};
  std::int64_t before[parts] = {};
  int known = 0;        // the tile that `before` is of
  unsigned parity = 1;  // of the round in which the next tile comes
  for (int stage = 1; tile < self.tiles;) {
    const int next_stage = stage == stages - 1 ? 0 : stage + 1;
    const int free_stage = next_stage == stages - 1 ? 0 : next_stage + 1;
    if (next_stage == 0) parity ^= 1;
    const bool is_tile = tile >= 0, is_next = next >= 0 && next < self.tiles;
    int drawn = self.tiles;
    if (self.rank == 0 && coming < self.tiles) drawn = shared_tiles.order.take();
    typename reader::asked asked[parts];
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      asked[p] = reader{counts.of[p].counts, known, 0}.ask(is_tile ? tile : known);
    }
    ptx::wait_for_groups<0>();
    block.sync();
    self.load(coming, free_stage);
    typename worker::found found_next{};
    if (is_next) {
      self.wait(next, next_stage, parity);
      found_next = self.find(next, next_stage);
    }
    if (is_tile) self.list(tile, at);
    if (self.rank == 0) shared.drawn = drawn;
    block.sync();
    if (is_next) {
      self.join_warps(found_next);
      if (self.rank == 0) {
#pragma unroll
        for (int p = 0; p < parts; ++p) {
          counts.of[p].publish(next, detail::unpack_count(found_next.all, p), pass.order);
        }
        self.prefetch_values(next, found_next);
      }
    }
    if (is_tile) {
#pragma unroll
      for (int p = 0; p < parts; ++p) {
        reader{counts.of[p].counts, known, 0}.gather(asked[p], tile, shared.before[p]);
      }
      if (pass.order == publish_order::after_all) __threadfence();
    }
    block.sync();
    if (is_tile) {
#pragma unroll
      for (int p = 0; p < parts; ++p) {
        reader now{counts.of[p].counts, known, before[p]};
        now.pass(tile, shared.before[p]);
        before[p] = now.before;
      }
      known = tile;
      self.put(tile, stage, at, before, behind);
      self.put_counts(tile, at, before);
    }
    tile = next;
    next = coming;
    coming = shared.drawn;
    at = found_next;
    stage = next_stage;
  }
  shared_tiles.leave();
}

}  // namespace gpuprim::detail
