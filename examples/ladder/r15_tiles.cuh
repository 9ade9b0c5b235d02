// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r15, cooperative-groups tiles: r14 in modules. A tile knows its lanes, so there is no mask to get wrong, and its size
// is known when compiling, so the loop is unrolled.
// Limited as r14: it is the same code to the machine.
// Source: Han and Sharma, chapter 3; Harris and Perelygin, NVIDIA developer blog on cooperative groups.
#include "r10_loads_in_flight.cuh"

#include <cooperative_groups.h>

namespace ladder {

template <class Tile, class T>
__device__ T sum_of_tile(const Tile& tile, T sum) {
#pragma unroll
  for (int offset = int(Tile::size()) / 2; offset > 0; offset /= 2) add_to(sum, tile.shfl_down(sum, offset));
  return sum;
}

template <class T>
__global__ void r15_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(warps, T[32]);
  const auto block = cooperative_groups::this_thread_block();
  const auto tile = cooperative_groups::tiled_partition<32>(block);
  T sum = sum_of_tile(tile, sum_of_thread<usual_loads>(in, n));
  if (tile.thread_rank() == 0) warps[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() > 0) return;  // whole tiles, and no barrier is left
  sum = sum_of_tile(tile, tile.thread_rank() < tile.meta_group_size() ? warps[tile.thread_rank()] : T{});
  if (tile.thread_rank() == 0) out[blockIdx.x] = sum;
}

template <class T>
rung<T> r15() {
  return {
      .name = "r15 cooperative-groups tiles",
      .run = [](const task<T>& t) { return in_two_passes(r15_kernel<T>, usual_block, usual_block * usual_loads, t); },
      .look = look_at<r15_kernel<T>>};
}

}  // namespace ladder
