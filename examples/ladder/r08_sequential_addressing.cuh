// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r08, sequential addressing: the stride halves as in r04, so no bank conflicts, and above a warp no divergence.
// Limited by idle threads: half of them only load, each loads one value, and the blocks are many and short.
// Source: Harris, as r05; Han and Sharma, chapter 3.
#include "r05_shared_modulo.cuh"

namespace ladder {

/// Leaves the sum of a block's values in shared[0]. The caller has synchronised after writing them.
template <class T>
__device__ void sum_in_shared(T* shared) {
  const int t = thread_in_block();
  for (int stride = int(blockDim.x) / 2; stride > 0; stride /= 2) {
    if (t < stride) add_to(shared[t], shared[t + stride]);
    __syncthreads();
  }
}

template <class T>
__global__ void r08_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  load_one(in, n, shared);
  sum_in_shared(shared);
  if (thread_in_block() == 0) out[blockIdx.x] = shared[0];
}

template <class T>
rung<T> r08() {
  return {.name = "r08 shared memory, sequential",
          .run = [](const task<T>& t) { return until_one(r08_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r08_kernel<T>>};
}

}  // namespace ladder
