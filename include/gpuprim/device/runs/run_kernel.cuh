// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_block.cuh>
#include <gpuprim/grid/tile_chain.cuh>

namespace gpuprim::detail {

/// The tile that a block worked on last. What lies before it was not known then.
template <class Worker>
struct waiting_tile {
  static constexpr int most_kept = (Worker::items + 11) / 12;  ///< results a thread: enough for runs of 12 and more

  int tile = -1;             ///< none
  int begun = 0, ended = 0;  ///< as in run_place
  bool is_kept = false;      ///< its results are not written yet
  kept_runs<Worker, most_kept> results;
  maybe<typename Worker::part> first;  ///< what its first run has of it; in the mail warp's lane 0

  /// The end of the tiles whose open part the block still has to look at, or 0: those before the tile, if it closes
  /// that, or those up to it, if it is the last of its group and goes on with the run.
  __device__ int looks_before() const {
    if (ended > 0) return tile;
    return (tile + 1) % warp_size == 0 ? tile + 1 : 0;
  }
};

/// Counts the runs before one tile of a block after the other.
template <class Worker, class Chain>
struct run_counter {
  using asked_counts = typename Chain::asked_counts;
  const Worker& self;
  const Chain& chain;
  int tile = 0;
  std::int64_t runs_before = 0;

  __device__ asked_counts ask(int next) const { return chain.template ask_counts<Worker::block_size>(tile, next); }
  /// Waits for what was asked for. One barrier.
  __device__ void advance(const asked_counts& asked, int next) {
    const std::uint64_t sum = chain.template sum_counts<Worker::block_size>(asked, tile, next);
    if (self.lane == 0) self.shared.runs_before[self.warp] = sum;
    this_block::sync();
#pragma unroll
    for (int i = 0; i < Worker::warps; ++i) runs_before += std::int64_t(self.shared.runs_before[i]);
    tile = next;
  }
};

/// Finds the runs of equal keys. Blocks take tiles in order; while a block works on one, its next ones are on their way
/// to shared memory. Of a tile that has come the boundaries are found and their count is told before the tile ahead of
/// it is written, so that hardly anything has to be waited for when its own turn comes. Then boundaries are listed and
/// what goes with the keys is joined run by run. The runs that begin in the tile write their keys, and those that end
/// in it their contents.
///
/// What lies before a tile is known only when the blocks of the tiles before have told it. Nothing waits for that long:
/// a tile that has few results keeps them in registers until the block works on its next tile, and so does every tile
/// with what its first run has of it. The first turns of a block have no tile yet to work on, its last turn none any
/// more.
template <class Pass, class Mail>
__device__ __forceinline__ void find_runs(const Pass& pass, const tile_chain<Mail>& chain) {
  using worker = run_worker<Pass>;
  using waiting = waiting_tile<worker>;
  constexpr int stages = Pass::shape::stages;
  constexpr int mail_warp = worker::warps - 1;  // looks at mail; the first warp draws and tells
  auto& shared = *dynamic_shared<typename Pass::shared_type>();
  const worker self(pass, shared);
  const this_block block;
  self.prefetch(int(blockIdx.x));  // the first tiles are these, whoever gets which
  if (!self.begin()) return;
  if (worker::has_rounds && self.rank < stages) ptx::begin_copy_rounds(&shared.rounds[self.rank]);
  unsigned parity = 1;  // of the round in which the next tile came
  int queue[stages];  // tiles in shared memory, or on their way; -1 for none yet
#pragma unroll
  for (int& tile : queue) tile = -1;
  run_place at{};
  waiting last;
  std::memset(static_cast<void*>(&last.results), 0, sizeof last.results);
  run_counter<worker, tile_chain<Mail>> runs{self, chain};
  for (int stage = 0; queue[0] < self.tiles || last.tile >= 0;) {
    const int tile = queue[0], next_tile = queue[1], next_stage = stage + 1 < stages ? stage + 1 : 0;
    const bool is_tile = tile >= 0 && tile < self.tiles, is_next = next_tile >= 0 && next_tile < self.tiles;
    const int begun = at.begun, ended = at.ended, looks_before = last.looks_before();
    const bool keep = ended <= waiting::most_kept * worker::block_size;
    int drawn = self.tiles;
    if (self.rank == 0 && queue[stages - 1] < self.tiles) drawn = int(chain.take_tile());
    auto asked = runs.ask(last.is_kept ? last.tile : runs.tile);
    typename tile_chain<Mail>::box seen{};
    if (self.warp == mail_warp && looks_before > 0) seen = chain.look_in_group(looks_before);

    if (is_tile) {
      self.list(at);
      const auto open = self.contents_at(stage).join(at);
      if (self.rank == 0) chain.tell_open(tile, open, unsigned(begun));
      if (!keep && !last.is_kept) asked = runs.ask(tile);
    }
    if (next_stage == 0) parity ^= 1;
    ptx::wait_for_groups<stages - 2>();
    if (worker::has_rounds && is_next) ptx::wait_for_copy_round(&shared.rounds[next_stage], parity);
    block.sync();
    if (is_next) {
      at = self.find(next_tile, next_stage);
      if (self.rank == 0) chain.tell_count(next_tile, unsigned(at.begun));
    }

    if (last.is_kept) {
      runs.advance(asked, last.tile);
      self.put(last.results, 0, last.begun, last.ended, runs.runs_before);
      self.put_count(last.tile, last.begun, runs.runs_before);
    }
    if (self.warp == mail_warp && looks_before > 0) {
      auto open = chain.template open_in_group<typename worker::carry>(seen, looks_before, pass.contents.op);
      if (last.ended > 0) {
        open = chain.join_groups_before(open, looks_before, pass.contents.op);
        if (self.lane == 0) self.put_first(runs.runs_before - 1, last.first, open.value.value);
      } else if (self.lane == 0) {
        chain.tell_group(last.tile, open);
      }
    }
    if (is_tile) {
      if (self.warp == mail_warp && self.lane == 0) last.first = self.find_first(ended, stage);
      if (keep) {
        last.results.keep(self, stage, 0, begun, ended);
      } else {
        if (last.is_kept) {
          asked = runs.ask(tile);
          block.sync();
        }
        runs.advance(asked, tile);
        self.put_listed(stage, begun, ended, runs.runs_before);
        self.put_count(tile, begun, runs.runs_before);
      }
    }
    last.tile = is_tile ? tile : -1;
    last.is_kept = is_tile && keep;
    last.begun = begun;
    last.ended = is_tile ? ended : 0;

    if (self.rank == 0) shared.drawn = drawn;
    block.sync();
#pragma unroll
    for (int k = 0; k < stages - 1; ++k) queue[k] = queue[k + 1];
    queue[stages - 1] = shared.drawn;
    // Copies by one thread are slower where much is written.
    if (queue[stages - 1] < self.tiles) self.load(queue[stages - 1], stage, keep);
    ptx::end_copy_group();
    stage = next_stage;
  }
  if (self.rank == 0) shared.is_last = chain.leave();
  block.sync();
  if (shared.is_last) chain.clear(self.tiles);
}

/// `OnlyBelowKib`: if not 0, the shape is for GPUs with less shared memory for a block, and there is no code for
/// others.
template <class Pass, int BlocksPerMultiprocessor, class Mail, int OnlyBelowKib>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    run_kernel(Pass pass, tile_chain<Mail> chain) {
  if constexpr (OnlyBelowKib == 0 || ptx::least_shared_kib < OnlyBelowKib) detail::find_runs(pass, chain);
}

}  // namespace gpuprim::detail
