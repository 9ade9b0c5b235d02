// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/select/select_block.cuh>
#include <gpuprim/grid/tile_mail.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Selects where all tiles are on the GPU at once. Each block takes one tile, by ticket, and waits once for the counts
/// of the tiles before it. A block that is alone draws no ticket and needs no workspace.
template <class Pass, int BlocksPerMultiprocessor>
__global__ void __launch_bounds__(Pass::shape::block_size, BlocksPerMultiprocessor)
    select_few_kernel(Pass pass, tile_mail<part_counts<Pass::counted>> mail) {
  using worker = select_worker<Pass>;
  using packed = part_counts<Pass::counted>;
  constexpr int parts = Pass::counted;
  auto& shared = *dynamic_shared<select_shared<Pass>>();
  const this_block block;
  const worker self(pass, shared);
  if (self.rank == 0) {  // the grid has these tiles, whichever block takes which
    detail::prefetch_tile(pass.source.in, self.first_of(int(blockIdx.x)), self.n, Pass::shape::tile_items);
  }
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

}  // namespace gpuprim::detail
