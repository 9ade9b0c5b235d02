// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_block.cuh>
#include <gpuprim/grid/tile_mail.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Finds the runs of equal keys where all tiles are on the GPU at once. Each block takes one tile, by ticket, and waits
/// once for the tiles before it. A block that is alone draws no ticket and needs no workspace.
template <class Pass, int BlocksPerMultiprocessor>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    run_few_kernel(Pass pass, tile_mail<typename Pass::contents_type::mail> mail) {
  using worker = run_worker<Pass>;
  auto& shared = *dynamic_shared<typename Pass::shared_type>();
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

}  // namespace gpuprim::detail
