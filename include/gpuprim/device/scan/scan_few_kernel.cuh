// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/scan_block.cuh>
#include <gpuprim/grid/aggregate_mail.cuh>
#include <gpuprim/grid/tile_mail.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Scans where all tiles are on the GPU at once. Each block takes one tile, by ticket, and waits once for the tiles
/// before it. A block that is alone, or whose tile is apart, draws no ticket and needs no workspace.
template <class Pass, int BlocksPerMultiprocessor>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    scan_few_kernel(Pass pass, tile_mail<typename aggregate_mail<typename Pass::value>::type> mail) {
  using worker = scan_worker<Pass>;
  using prefix = typename worker::prefix;
  using join = typename worker::join;
  using aggregates = aggregate_mail<typename Pass::value>;
  constexpr int warps = Pass::shape::warps;
  GPUPRIM_SHARED(stage, typename Pass::place);
  GPUPRIM_SHARED(sums, typename worker::warp_values);
  GPUPRIM_SHARED(start, shared_array<prefix, 1>);
  GPUPRIM_SHARED(drawn, int);
  worker self{pass};
  const this_block block;
  if (self.rank == 0) {  // the grid has these tiles, whichever block takes which
    pass.source.prefetch(self.first_of(int(blockIdx.x)), self.n, pass.stride());
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
  if (self.tiles > 0) pass.source.template copy<typename Pass::shape>(first, first + self.count_of(tile), stage);
  if constexpr (decltype(Pass::source)::has_marks) {
    GPUPRIM_SHARED(found, std::int64_t);
    if (self.warp == 0) {
      const std::int64_t at = pass.source.template find<typename Pass::shape>(first);
      if (self.rank == 0) found = at;
    }
    block.sync();
    pass.source.template mark<typename Pass::shape>(first, found, stage);
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

}  // namespace gpuprim::detail
