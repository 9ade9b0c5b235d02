// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r04, interleaved pairs: the stride starts at half the block and halves, so neighbouring threads read neighbours.
// Limited by the barriers and the trips to global memory: the loads are coalesced, but every step writes and reads
// there, and half of the threads never do more than wait. It destroys its input.
// Source: as r02.
#include "r02_neighbours.cuh"

namespace ladder {

template <class T>
__global__ void r04_kernel(T* data, int n, T* out) {
  const segment<T> block(data, n);
  const int t = thread_in_block();
  for (int stride = int(blockDim.x) / 2; stride > 0; stride /= 2) {
    if (t < stride && t + stride < block.count) add_to(block.values[t], block.values[t + stride]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = block.values[0];
}

template <class T>
rung<T> r04() {
  return {.name = "r04 interleaved pairs",
          .run = [](const task<T>& t) { return until_one(r04_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r04_kernel<T>>,
          .destroys_input = true};
}

}  // namespace ladder
