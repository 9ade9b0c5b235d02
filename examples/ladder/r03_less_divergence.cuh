// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r03, neighbours with less divergence: the same pairs, given to the first threads of the block.
// Limited by memory access: whole warps work or rest, but a warp's values lie ever further apart, so each load fetches
// sectors of which it uses less and less. It destroys its input.
// Source: as r02.
#include "r02_neighbours.cuh"

namespace ladder {

template <class T>
__global__ void r03_kernel(T* data, int n, T* out) {
  const segment<T> block(data, n);
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    const int i = 2 * stride * thread_in_block();
    if (i + stride < block.count) add_to(block.values[i], block.values[i + stride]);
    __syncthreads();
  }
  if (thread_in_block() == 0) out[blockIdx.x] = block.values[0];
}

template <class T>
rung<T> r03() {
  return {.name = "r03 neighbours, less divergence",
          .run = [](const task<T>& t) { return until_one(r03_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r03_kernel<T>>,
          .destroys_input = true};
}

}  // namespace ladder
