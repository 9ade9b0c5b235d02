// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

template <class Shape, class In, class Out, class Less>
struct merge_pass {
  using shape = Shape;
  In in;
  Out out;
  Less less;
  std::int64_t n;
  std::int64_t* begins;  ///< where tiles begin in the first input, if a kernel before finds that

  __device__ static unsigned find_first(unsigned) { return 0; }
  __device__ const In& find_runs(unsigned) const { return in; }
  __device__ void note_begin(unsigned tile, std::int64_t begin) const { begins[tile] = begin; }
};

/// Each block finds the parts of a tile of the results, and merges it.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) merge_kernel(Pass pass) {
  using shape = typename Pass::shape;
  ptx::wait_for_previous_grid();
  const std::int64_t first = std::int64_t(blockIdx.x) * shape::tile_items;
  const std::int64_t left = pass.in.a_count + pass.in.b_count - first;
  const std::int64_t last = first + (left < shape::tile_items ? left : shape::tile_items);
  const tile_parts parts = detail::find_parts(pass.in, first, last, pass.less);
  detail::merge_tile<shape::block_size, shape::items>(pass.in, parts, pass.out.from(first), pass.less);
}

}  // namespace gpuprim::detail
