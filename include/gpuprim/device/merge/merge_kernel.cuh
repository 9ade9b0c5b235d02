// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/merge_tile.cuh>
#include <gpuprim/device/common/element_count.cuh>
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

/// A merge whose counts a kernel reads. It is launched for the most elements.
template <class Pass>
struct counted_merge_pass : Pass {
  element_count a_count, b_count;
  __device__ __forceinline__ void cut() {
    this->in.a_count = a_count.read();
    this->in.b_count = b_count.read();
    this->n = this->in.a_count + this->in.b_count;
  }
};
template <class Pass>
Pass with_counts(const Pass& pass, std::int64_t, std::int64_t) {
  return pass;
}
template <class Pass>
counted_merge_pass<Pass> with_counts(const Pass& pass, const element_count& a_count, const element_count& b_count) {
  return {pass, a_count, b_count};
}

/// Each block finds the parts of a tile of the results, and merges it.
template <class Pass>
__global__ void __launch_bounds__(Pass::shape::block_size, Pass::shape::blocks) merge_kernel(Pass pass) {
  using shape = typename Pass::shape;
  ptx::wait_for_previous_grid();
  const std::int64_t first = std::int64_t(blockIdx.x) * shape::tile_items;
  if constexpr (requires { pass.cut(); }) {
    pass.cut();
    if (first >= pass.n) return;
  }
  const std::int64_t left = pass.in.a_count + pass.in.b_count - first;
  const std::int64_t last = first + (left < shape::tile_items ? left : shape::tile_items);
  const tile_parts parts = detail::find_parts(pass.in, first, last, pass.less);
  detail::merge_tile<shape::block_size, shape::items>(pass.in, parts, pass.out.from(first), pass.less);
}

}  // namespace gpuprim::detail
