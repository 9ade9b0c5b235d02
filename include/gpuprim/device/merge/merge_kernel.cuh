// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

template <class Shape, class In, class Out, class Less>
struct merge_pass {
  using shape = Shape;
  In in;
  Out out;
  Less less;
};

/// Each block merges one tile of the results.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) merge_kernel(Pass pass) {
  using shape = typename Pass::shape;
  ptx::begin_kernel();
  const std::int64_t first = std::int64_t(blockIdx.x) * shape::tile_items;
  detail::merge_tile<shape::block_size, shape::items>(pass.in, first, pass.out.from(first), pass.less);
}

}  // namespace gpuprim::detail
