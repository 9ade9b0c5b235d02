// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/scan_block.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/grid/tile_rows.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What the blocks of a scan share: the order of tiles and their aggregates.
template <element T>
struct scan_look_back {
  static constexpr std::int64_t most_tiles = tile_order::most_tiles;

  tile_order order;
  tile_rows<T> rows;

  static constexpr std::int64_t bytes(std::int64_t tiles) { return tile_order::bytes + tile_rows<T>::bytes(tiles); }
  static scan_look_back lay_over(void* buffer, std::int64_t tiles) {
    void* const aggregates = static_cast<char*>(buffer) + tile_order::bytes;
    return {tile_order::lay_over(buffer), tile_rows<T>::lay_over(aggregates, tiles)};
  }
};

inline constexpr int scan_stages = 3;

/// A block's shared memory.
template <class Pass>
struct scan_shared {
  using worker = scan_worker<Pass>;
  typename Pass::place stages[scan_stages];
  ptx::copy_round rounds[scan_stages];
  typename worker::warp_values sums[2];  ///< of the tile that a block works on, and of the next
  row_parts<typename Pass::value, Pass::shape::warps> parts;
  shared_array<typename worker::prefix, 1> start;  ///< what the first tile comes behind
  int drawn[scan_stages];
};

/// A worker that copies tiles to stages.
template <class Pass>
struct scan_loader : scan_worker<Pass> {
  using base = scan_worker<Pass>;
  using shape = typename Pass::shape;
  static constexpr bool may_have_rounds =
      ptx::has_bulk_copies && decltype(Pass::source)::template may_have_rows<shape>;

  scan_shared<Pass>& shared;

  __device__ scan_loader(const Pass& pass, scan_shared<Pass>& s) : base{pass}, shared(s) {}

  /// Whether one thread copies the tile for all.
  __device__ bool comes_in_round(int tile) const {
    return may_have_rounds && this->count_of(tile) == base::tile_items &&
           this->pass.source.template has_rows<shape>(this->pass.head);
  }
  /// Starts to copy a tile, if it exists. All threads call it, behind a barrier since the stage was used.
  __device__ __forceinline__ void load(int tile, int stage) const {
    if (tile < this->tiles) {
      const std::int64_t first = this->first_of(tile);
      auto& to = shared.stages[stage];
      if (!comes_in_round(tile)) {
        this->pass.source.template copy<shape>(first, first + this->count_of(tile), to);
      } else if (this->rank == 0) {
        ptx::order_before_bulk_copies();
        this->pass.source.template copy_row<shape>(first, to, &shared.rounds[stage]);
        ptx::end_copy_round(&shared.rounds[stage]);
      }
    }
    ptx::end_copy_group();
  }
  /// Clear what stands beside a tile and, behind a barrier, complete it. All threads call them.
  __device__ __forceinline__ void clear(int stage) const { this->pass.source.clear(shared.stages[stage]); }
  __device__ __forceinline__ void mark(int tile, int stage) const {
    if (tile >= this->tiles) return;
    const std::int64_t first = this->first_of(tile), found = this->pass.source.template find<shape>(first);
    this->pass.source.template mark<shape>(first, found, shared.stages[stage]);
  }
  __device__ __forceinline__ void wait(int tile, int stage, unsigned parity) const {
    if (comes_in_round(tile)) ptx::wait_for_copy_round(&shared.rounds[stage], parity);
  }
};

/// Scans many tiles. A block has three of them in shared memory: it works on one, the next is there or on its way, and
/// the third is asked for. It publishes the aggregate of its next tile before it waits for what lies before the present
/// one, so that blocks hardly wait for each other.
template <class Pass, int BlocksPerMultiprocessor>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    scan_kernel(Pass pass, scan_look_back<typename Pass::value> shared_tiles) {
  using loader = scan_loader<Pass>;
  using prefix = typename loader::prefix;
  using join = typename loader::join;
  constexpr int warps = Pass::shape::warps;
  auto& shared = *dynamic_shared<scan_shared<Pass>>();
  const this_block block;
  if (pass.n.is_in_device_memory()) ptx::wait_for_previous_grid();
  loader self(pass, shared);
  ptx::begin_kernel();
  self.find_written();
  if (self.rank == 0) {
    for (int i = 0; i < scan_stages; ++i) ptx::begin_copy_rounds(&shared.rounds[i]);
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
    prefix all = self.join_warps(sums, warps);
    if (which == 0) all = self.joined(shared.start[0], all);
    if (self.rank == 0) shared_tiles.rows.publish(which, join::unwrap(all));
  };
  if (self.warp == 0 && tile < self.tiles) publish(tile, shared.sums[0]);

  row_reader<Pass::shape::block_size, typename Pass::value, typename Pass::op_type> rows(shared_tiles.rows, pass.op);
  unsigned parity = 0;  // of the round in which the next tile comes
  for (int stage = 0, turn = 0; tile < self.tiles; turn ^= 1) {
    const int next_stage = stage == scan_stages - 1 ? 0 : stage + 1;
    const int free_stage = next_stage == scan_stages - 1 ? 0 : next_stage + 1;
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
  shared_tiles.order.leave([&] { shared_tiles.rows.clear(); });
}

}  // namespace gpuprim::detail
