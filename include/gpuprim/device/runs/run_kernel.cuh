// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_block.cuh>
#include <gpuprim/grid/tile_counts.cuh>
#include <gpuprim/grid/tile_mail.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/grid/tile_prefix.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Finds the runs of equal keys where all tiles are on the GPU at once. Each block takes one tile, by ticket, and waits
/// once for the tiles before it. A block that is alone draws no ticket and needs no workspace.
template <class Shape, class Pass>
__global__ void __launch_bounds__(Shape::block_size, Shape::blocks)
    run_few_kernel(Pass pass, tile_mail<typename Pass::contents_type::mail> mail) {
  using worker = run_worker<Shape, Pass>;
  auto& shared = *dynamic_shared<typename worker::shared_type>();
  const worker self(pass, shared);
  const this_block block;
  self.prefetch(int(blockIdx.x));  // the grid has these tiles, whichever block takes which
  if (!self.begin()) return;
  const bool is_alone = gridDim.x == 1;
  if (!is_alone) {
    if (self.rank == 0) shared.drawn = mail.take();
    block.sync();
  }
  const int tile = is_alone ? 0 : shared.drawn, stage = 0;
  self.load(tile, stage, copy_by::all_threads);
  ptx::end_copy_group();
  ptx::wait_for_groups<0>();
  block.sync();
  const run_place at = self.find(tile, stage);
  self.list(at);
  const auto open = self.contents_at(stage).join(at);
  std::int64_t runs_before = 0;
  if (is_alone) {
    block.sync();  // `meet` has a barrier too, behind which all boundaries are listed
  } else {
    const auto before = mail.template meet<worker::block_size, typename worker::carry>(tile, open, unsigned(at.begun),
                                                                                       pass.contents.op);
    runs_before = before.boundaries;
    if (self.rank == 0 && tile > 0 && at.ended > 0) {
      self.put_first(runs_before - 1, self.find_first(at.ended, stage), before.value.value);
    }
  }
  self.put_listed(stage, at.begun, at.ended, runs_before);
  self.put_count(tile, at.begun, runs_before);
}

/// How many runs begin in each tile, and the part of its last run that each leaves open, whose prefix goes back to the
/// last tile in which a run begins.
template <element Carry>
using run_look_back = tile_look_back<tile_counts, tile_prefix<Carry>>;

/// The tile that a block worked on last, so far as it waits for what lies before it.
template <class Worker>
struct waiting_tile {
  static constexpr int most_kept = (Worker::items + 11) / 12;  ///< results a thread: enough for runs of 12 and more

  int tile = -1;             ///< none
  int begun = 0, ended = 0;  ///< as in run_place
  bool is_kept = false;      ///< its results are not written yet
  kept_runs<Worker, most_kept> results;
  maybe<typename Worker::part> first;  ///< what the run that its first boundary ends has of it; in one thread

  /// Whether the block still has to look at the tiles before: where the tile ends a run that may have begun there, or
  /// where a sum that others need ends with it.
  template <class Prefixes>
  __device__ bool looks_back() const {
    return tile > 0 && (ended > 0 || Prefixes::ends_node(tile));
  }
  __device__ prefix_use use() const { return ended > 0 ? prefix_use::wanted : prefix_use::unwanted; }
};

/// Finds the runs of equal keys where there are many tiles. A block has two of them in shared memory: it works on one
/// while the other one is on its way. As soon as that has come, its boundaries are found and counted, and the count is
/// published before the results of the tile ahead of it are written, so that other blocks hardly wait for it. Then
/// boundaries are listed, and what goes with the keys is joined run by run. The runs that begin in a tile write their
/// keys, and those that end in it what they come to.
///
/// Nothing waits for what lies before a tile as long as there is other work: a tile with few results keeps them in
/// registers until the block works on its next tile, and so does every tile with what its first run has of it. The
/// first turns of a block have no tile yet to work on, its last turn none any more.
template <class Shape, class Pass>
__global__ void __launch_bounds__(Shape::block_size, Shape::blocks)
    run_kernel(Pass pass, run_look_back<typename Pass::contents_type::carry> shared_tiles) {
  using worker = run_worker<Shape, Pass>;
  using waiting = waiting_tile<worker>;
  using prefixes = tile_prefix<typename worker::carry>;
  static_assert(Shape::stages == 2);
  constexpr int look_back_warp = worker::warps - 1;  // the first warp draws and publishes
  const auto shared_open = gpuprim::get<1>(shared_tiles.states);
  auto& shared = *dynamic_shared<typename worker::shared_type>();
  if constexpr (requires { pass.cut(); }) pass.cut();
  const worker self(pass, shared);
  const this_block block;
  self.prefetch(int(blockIdx.x));  // the first tiles are these, whichever block takes which
  if (!self.begin()) return;
  if (worker::has_rounds && Shape::stages > self.rank) ptx::begin_copy_rounds(&shared.rounds[self.rank]);
  unsigned parity = 1;            // of the round in which the next tile came
  int tile = -1, next_tile = -1;  // in shared memory, or on their way; -1 for none yet
  run_place at{};
  waiting last;
  std::memset(static_cast<void*>(detail::pointer_to(last.results)), 0, sizeof last.results);
  tile_counts::reader<worker::block_size> runs{gpuprim::get<0>(shared_tiles.states).counts};
  for (int stage = 0; tile < self.tiles || last.tile >= 0;) {
    const int next_stage = 1 - stage;
    const bool is_tile = tile >= 0 && tile < self.tiles, is_next = next_tile >= 0 && next_tile < self.tiles;
    const int begun = at.begun, ended = at.ended;
    const bool looks_back = self.warp == look_back_warp && last.template looks_back<prefixes>();
    const bool keep = ended <= waiting::most_kept * worker::block_size;
    int drawn = self.tiles;
    if (self.rank == 0 && next_tile < self.tiles) drawn = shared_tiles.order.take();
    auto asked = runs.ask(last.is_kept ? last.tile : runs.tile);
    typename prefixes::asked seen{};
    if (looks_back) seen = shared_open.ask(last.tile);

    if (is_tile) {
      self.list(at);
      const auto open = self.contents_at(stage).join(at);
      if (self.rank == 0) shared_open.publish(tile, static_cast<typename worker::carry>(open), begun);
      if (!keep && !last.is_kept) asked = runs.ask(tile);
    }
    if (next_stage == 0) parity ^= 1;
    ptx::wait_for_groups<0>();
    if (worker::has_rounds && is_next) ptx::wait_for_copy_round(&shared.rounds[next_stage], parity);
    block.sync();
    if (is_next) {
      at = self.find(next_tile, next_stage);
      if (self.rank == 0) gpuprim::get<0>(shared_tiles.states).publish(next_tile, unsigned(at.begun));
    }

    if (last.is_kept) {
      runs.advance(asked, last.tile, shared.runs_before);
      self.put(last.results, 0, last.begun, last.ended, runs.before);
      self.put_count(last.tile, last.begun, runs.before);
    }
    if (looks_back) {
      const auto before = shared_open.before(seen, last.tile, last.use(), pass.contents.op);
      if (last.ended > 0 && self.lane == 0) self.put_first(runs.before - 1, last.first, before.value);
    }
    if (is_tile) {
      if (self.warp == look_back_warp && self.lane == 0) last.first = self.find_first(ended, stage);
      if (keep) {
        last.results.keep(self, stage, 0, begun, ended);
      } else {
        if (last.is_kept) {
          asked = runs.ask(tile);
          block.sync();
        }
        runs.advance(asked, tile, shared.runs_before);
        self.put_listed(stage, begun, ended, runs.before);
        self.put_count(tile, begun, runs.before);
      }
    }
    last.tile = is_tile ? tile : -1;
    last.is_kept = is_tile && keep;
    last.begun = begun;
    last.ended = is_tile ? ended : 0;

    if (self.rank == 0) shared.drawn = drawn;
    block.sync();
    tile = next_tile;
    next_tile = shared.drawn;
    // A copy by one thread is slower where much is written meanwhile.
    if (next_tile < self.tiles) self.load(next_tile, stage, keep ? copy_by::one_thread : copy_by::all_threads);
    ptx::end_copy_group();
    stage = next_stage;
  }
  shared_tiles.leave();
}

}  // namespace gpuprim::detail
