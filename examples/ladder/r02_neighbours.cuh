// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r02, neighbours in place: a block adds pairs at stride 1, 2, 4, ... in global memory.
// Limited by divergence: at stride s one thread in 2s works, spread over all warps, so every warp takes every step.
// It destroys its input.
// Source: Cheng, Grossman and McKercher, "Professional CUDA C Programming", there with an early return
// before a barrier and with reads behind the end of a partial block.
#include "passes.cuh"

namespace ladder {

/// Where a block's values begin, and how many there are: the last block may have fewer.
template <class T>
struct segment {
  T* values;
  int count;
  __device__ segment(T* data, int n)
      : values(data + blockIdx.x * blockDim.x), count(min(int(blockDim.x), n - int(blockIdx.x * blockDim.x))) {}
};

template <class T>
__global__ void r02_kernel(T* data, int n, T* out) {
  const segment<T> block(data, n);
  const unsigned t = threadIdx.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0 && t + stride < unsigned(block.count)) add_to(block.values[t], block.values[t + stride]);
    __syncthreads();  // every thread comes here, those without a value too
  }
  if (t == 0) out[blockIdx.x] = block.values[0];
}

template <class T>
rung<T> r02() {
  return {.name = "r02 neighbours in place",
          .run = [](const task<T>& t) { return until_one(r02_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r02_kernel<T>>,
          .destroys_input = true};
}

}  // namespace ladder
