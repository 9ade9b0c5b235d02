// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/scan_block.cuh>
#include <gpuprim/grid/tile_mail.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/grid/tile_rows.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Scans where all tiles are on the GPU at once. Each block takes one tile, by ticket, and waits once for the tiles
/// before it. A block that is alone, or whose tile is apart, draws no ticket and needs no workspace.
template <class Shape, class Pass>
__global__ void __launch_bounds__(Shape::block_size, Shape::blocks)
    scan_few_kernel(Pass pass, tile_mail<typename aggregate_mail<typename Pass::value>::type> mail) {
  using worker = scan_worker<Shape, Pass>;
  using prefix = typename worker::prefix;
  using join = typename worker::join;
  using aggregates = aggregate_mail<typename Pass::value>;
  constexpr int warps = Shape::warps;
  GPUPRIM_SHARED(stage, typename worker::stage);
  GPUPRIM_SHARED(sums, typename worker::warp_values);
  GPUPRIM_SHARED(start, shared_array<prefix, 1>);
  GPUPRIM_SHARED(drawn, int);
  worker self{pass};
  const this_block block;
  if (self.rank == 0) {  // the grid has these tiles, whichever block takes which
    pass.source.prefetch(self.first_of(int(blockIdx.x)), self.n, self.stride());
  }
  pass.source.clear(stage);
  ptx::begin_kernel();
  self.find_written();
  const bool is_alone = gridDim.x == 1 || pass.apart > 0;
  if (!is_alone && self.rank == 0) drawn = mail.take();
  if (!is_alone || decltype(Pass::source)::has_marks) block.sync();
  const int tile = is_alone ? int(blockIdx.x) : drawn;
  const std::int64_t first = self.first_of(tile);
  // A tile that is apart stops where the next begins, which is its own results in place of its elements before long.
  if (self.tiles > 0) pass.source.template copy<Shape>(first, first + self.count_of(tile), stage);
  if constexpr (decltype(Pass::source)::has_marks) {
    GPUPRIM_SHARED(found, std::int64_t);
    if (self.warp == 0) {
      const std::int64_t at = pass.source.template find<Shape>(first);
      if (self.rank == 0) found = at;
    }
    block.sync();
    pass.source.template mark<Shape>(first, found, stage);
  }
  if (tile == 0 && self.warp == 0) self.scan_head(start);
  ptx::wait_for_copies();
  block.sync();
  if (self.tiles == 0) return;
  const prefix in_warp = self.fold(stage, sums);
  block.sync();
  prefix before = tile == 0 ? start[0] : join::empty();
  if (!is_alone) {
    const auto aggregate = join::unwrap(self.joined(before, self.join_warps(sums, warps)));
    const auto earlier = mail.template exchange<worker::block_size>(
        tile, aggregates::value(aggregate), aggregates::note(aggregate), join{pass.op},
        [](const auto& got) { return prefix(aggregates::open(got)); });
    if (tile > 0) before = earlier;
  }
  before = self.joined(self.joined(before, self.join_warps(sums, self.warp)), in_warp);
  self.scan(tile, stage, before);
  ptx::order_before_bulk_copies();
  block.sync();
  self.store(tile, stage);
  if (self.rank == 0) ptx::wait_for_copies_out();
}

template <element T>
using scan_look_back = tile_look_back<tile_rows<T>>;

/// A block's shared memory.
template <class Shape, class Pass>
struct scan_shared {
  using worker = scan_worker<Shape, Pass>;
  typename worker::stage stages[Shape::stages];
  ptx::copy_round rounds[Shape::stages];
  typename worker::warp_values sums[2];  ///< of the tile that a block works on, and of the next
  row_parts<typename Pass::value, Shape::warps> parts;
  shared_array<typename worker::prefix, 1> start;  ///< what the first tile comes behind
  int drawn[Shape::stages];
};

/// A worker that copies tiles to stages.
template <class Shape, class Pass>
struct scan_loader : scan_worker<Shape, Pass> {
  using base = scan_worker<Shape, Pass>;
  static constexpr bool may_have_rounds = ptx::has_bulk_copies && decltype(Pass::source)::template may_have_rows<Shape>;

  scan_shared<Shape, Pass>& shared;

  __device__ scan_loader(const Pass& pass, scan_shared<Shape, Pass>& s) : base{pass}, shared(s) {}

  /// Whether one thread copies the tile for all.
  __device__ bool comes_in_round(int tile) const {
    return may_have_rounds && this->count_of(tile) == base::tile_items &&
           this->pass.source.template has_rows<Shape>(this->pass.head);
  }
  /// Starts to copy a tile, if it exists. All threads call it, behind a barrier since the stage was used.
  __device__ __forceinline__ void load(int tile, int stage) const {
    if (tile < this->tiles) {
      const std::int64_t first = this->first_of(tile);
      auto& to = shared.stages[stage];
      if (!comes_in_round(tile)) {
        this->pass.source.template copy<Shape>(first, first + this->count_of(tile), to);
      } else if (this->rank == 0) {
        ptx::order_before_bulk_copies();
        this->pass.source.template copy_row<Shape>(first, to, &shared.rounds[stage]);
        ptx::end_copy_round(&shared.rounds[stage]);
      }
    }
    ptx::end_copy_group();
  }
  /// Clear what stands beside a tile and, behind a barrier, complete it. All threads call them.
  __device__ __forceinline__ void clear(int stage) const { this->pass.source.clear(shared.stages[stage]); }
  __device__ __forceinline__ void mark(int tile, int stage) const {
    if (tile >= this->tiles) return;
    const std::int64_t first = this->first_of(tile), found = this->pass.source.template find<Shape>(first);
    this->pass.source.template mark<Shape>(first, found, shared.stages[stage]);
  }
  __device__ __forceinline__ void wait(int tile, int stage, unsigned parity) const {
    if (comes_in_round(tile)) ptx::wait_for_copy_round(&shared.rounds[stage], parity);
  }
};

/// Scans many tiles. A block has three of them in shared memory: it works on one, the next is there or on its way, and
/// the third is asked for. It publishes the aggregate of its next tile before it waits for what lies before the present
/// one, so that blocks hardly wait for each other.
template <class Shape, class Pass>
__global__ void __launch_bounds__(Shape::block_size, Shape::blocks)
    scan_kernel(Pass pass, scan_look_back<typename Pass::value> shared_tiles) {
  using loader = scan_loader<Shape, Pass>;
  using prefix = typename loader::prefix;
  using join = typename loader::join;
  auto& shared = *dynamic_shared<scan_shared<Shape, Pass>>();
  const this_block block;
  if (pass.n.is_in_device_memory()) ptx::wait_for_previous_grid();
  loader self(pass, shared);
  ptx::begin_kernel();
  self.find_written();
  if (self.rank == 0) {
    for (int i = 0; i < Shape::stages; ++i) ptx::begin_copy_rounds(&shared.rounds[i]);
    shared.drawn[0] = shared_tiles.order.take();
  }
  self.clear(0);
  self.clear(1);
  block.sync();
  int tile = shared.drawn[0];
  self.load(tile, 0);
  // Draws are apart, so that other blocks take the tiles between: the block would else keep them waiting.
  if (self.rank == 0) shared.drawn[1] = shared_tiles.order.take();
  self.mark(tile, 0);
  if (tile == 0 && self.warp == 0) self.scan_head(shared.start);
  ptx::wait_for_groups<0>();
  block.sync();
  int next = shared.drawn[1];
  self.load(next, 1);
  if (self.rank == 0) shared.drawn[2] = next < self.tiles ? shared_tiles.order.take() : next;
  prefix in_warp = join::empty();
  if (tile < self.tiles) {
    self.wait(tile, 0, 0);
    in_warp = self.fold(shared.stages[0], shared.sums[0]);
  }
  block.sync();
  int coming = shared.drawn[2];
  self.mark(next, 1);
  const auto publish = [&](int which, typename loader::warp_values& sums) {  // the first warp calls it
    prefix all = self.join_warps(sums, Shape::warps);
    if (which == 0) all = self.joined(shared.start[0], all);
    if (self.rank == 0) gpuprim::get<0>(shared_tiles.states).publish(which, join::unwrap(all));
  };
  if (self.warp == 0 && tile < self.tiles) publish(tile, shared.sums[0]);

  using reader = row_reader<Shape::block_size, typename Pass::value, typename Pass::op_type>;
  reader rows(gpuprim::get<0>(shared_tiles.states), pass.op);
  unsigned parity = 0;  // of the round in which the next tile comes
  for (int stage = 0, turn = 0; tile < self.tiles; turn ^= 1) {
    const int next_stage = stage == Shape::stages - 1 ? 0 : stage + 1;
    const int free_stage = next_stage == Shape::stages - 1 ? 0 : next_stage + 1;
    if (next_stage == 0) parity ^= 1;
    int drawn = self.tiles;
    if (self.rank == 0) {
      if (coming < self.tiles) drawn = shared_tiles.order.take();
      ptx::wait_for_bulk_reads();
    }
    ptx::wait_for_groups<0>();
    block.sync();
    self.clear(free_stage);
    self.load(coming, free_stage);
    prefix next_in_warp = join::empty();
    if (next < self.tiles) {
      self.wait(next, next_stage, parity);
      next_in_warp = self.fold(shared.stages[next_stage], shared.sums[turn ^ 1]);
    }
    if (self.rank == 0) shared.drawn[0] = drawn;
    block.sync();
    if (self.warp == 0 && next < self.tiles) publish(next, shared.sums[turn ^ 1]);
    if (tile > 0) rows.gather(tile, shared.parts);
    block.sync();
    if (tile > 0) rows.pass(tile, shared.parts);
    const prefix before_row = tile > 0 ? rows.before_row : shared.start[0];
    const prefix in_row = self.join_values(shared.parts.own, rows.count(tile), shared.sums[turn], self.warp);
    self.scan(tile, shared.stages[stage], self.joined(self.joined(before_row, in_row), in_warp));
    self.mark(coming, free_stage);
    ptx::order_before_bulk_copies();
    block.sync();
    self.store(tile, shared.stages[stage]);
    tile = next;
    next = coming;
    coming = shared.drawn[0];
    in_warp = next_in_warp;
    stage = next_stage;
  }
  if (self.rank == 0) ptx::wait_for_copies_out();
  shared_tiles.leave();
}

}  // namespace gpuprim::detail
