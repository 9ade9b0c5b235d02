// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/detail/run_block.cuh>

namespace gpuprim::detail {

/// Finds the runs of equal keys where there are no more tiles than blocks that fit on the GPU: block i takes tile i.
/// All blocks are there at once, by the kind of the launch, and each waits for those before it once.
template <class Pass, int BlocksPerMultiprocessor, class Chain>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    run_few_kernel(Pass pass, Chain chain) {
  using worker = run_worker<Pass>;
  auto& shared = *dynamic_shared<typename Pass::shared_type>();
  const worker self(pass, shared);
  ptx::let_next_grid_start();
  ptx::wait_for_previous_grid();
  if (pass.n == 0) {
    if (self.rank == 0) *pass.runs_out = 0;
    return;
  }
  const int tile = int(blockIdx.x), stage = 0;
  self.load(tile, stage);
  ptx::end_copy_group();
  ptx::wait_for_groups<0>();
  this_block::sync();
  const run_place at = self.find(tile, stage);
  self.list(at);
  const auto open = self.contents_at(stage).join(at);
  if (self.rank == 0) chain.open[tile].send(open, unsigned(at.begun));
  const auto before = chain.template join_all_before<worker::block_size, typename worker::carry>(tile, pass.contents.op);
  if (self.rank == 0) {
    if (tile > 0 && at.ended > 0) {
      self.put_first(std::int64_t(before.boundaries) - 1, self.find_first(at.ended, stage), before.value.value);
    }
    shared.is_last = chain.leave();
  }
  self.template put<4, worker::items>(listed_runs<worker>{self, stage}, tile, at.begun, at.ended, before.boundaries);
  this_block::sync();
  if (shared.is_last) chain.clear(self.tiles);
}

}  // namespace gpuprim::detail
