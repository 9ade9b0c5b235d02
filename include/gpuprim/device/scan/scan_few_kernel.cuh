// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/scan_block.cuh>
#include <gpuprim/grid/tile_mail.cuh>

namespace gpuprim::detail {

/// Scans where all tiles are on the GPU at once. Each block takes one tile, by ticket, and waits once for the tiles
/// before it. A block that is alone draws no ticket and needs no workspace.
template <class Pass, int BlocksPerMultiprocessor>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    scan_few_kernel(Pass pass, tile_mail<typename Pass::value> mail) {
  using worker = scan_worker<Pass>;
  using prefix = typename worker::prefix;
  using join = typename worker::join;
  constexpr int warps = Pass::shape::warps;
  GPUPRIM_SHARED(stage, typename Pass::place);
  GPUPRIM_SHARED(sums, typename worker::warp_values);
  GPUPRIM_SHARED(start, shared_array<prefix, 1>);
  GPUPRIM_SHARED(drawn, int);
  const worker self{pass};
  const this_block block;
  if (self.rank == 0) {  // the grid has these tiles, whichever block takes which
    pass.source.prefetch(self.first_of(int(blockIdx.x)), pass.n, worker::tile_items);
  }
  ptx::begin_kernel();
  if (pass.n == 0) {
    if (self.rank == 0) self.put_empty_total();
    return;
  }
  const bool is_alone = gridDim.x == 1;
  if (!is_alone) {
    if (self.rank == 0) drawn = mail.take();
    block.sync();
  }
  const int tile = is_alone ? 0 : drawn;
  pass.source.template copy<typename Pass::shape>(self.first_of(tile), pass.n, stage);
  if (tile == 0 && self.warp == 0) {
    const prefix from = self.scan_head();
    if (self.rank == (pass.head > 0 ? pass.head - 1 : 0)) start[0] = from;
  }
  ptx::wait_for_copies();
  block.sync();
  const prefix in_warp = self.fold(stage, sums);
  block.sync();
  prefix before = tile == 0 ? start[0] : join::empty();
  if (!is_alone) {
    const auto aggregate = join::unwrap(self.joined(before, self.join_warps(sums, warps)));
    const auto earlier = mail.template exchange<worker::block_size>(
        tile, aggregate, 0, join{pass.op}, [](const auto& got) { return prefix(got.value()); });
    if (tile > 0) before = earlier;
  }
  before = self.joined(self.joined(before, self.join_warps(sums, self.warp)), in_warp);
  self.scan(tile, stage, before);
  ptx::order_before_bulk_copies();
  block.sync();
  self.store(tile, stage);
  if (self.rank == 0) ptx::wait_for_copies_out();
}

}  // namespace gpuprim::detail
