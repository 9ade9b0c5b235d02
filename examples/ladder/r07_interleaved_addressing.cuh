// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r07, interleaved addressing: the pairs of r06, given to the first threads of the block, as in r03.
// Limited by bank conflicts: at stride s the threads of a warp are 2s words apart, so 2s of them, up to 32, want the
// same of the 32 banks and wait for one another.
// Source: Harris, as r05; Han and Sharma, chapter 3.
#include "r05_shared_modulo.cuh"

namespace ladder {

template <class T>
__global__ void r07_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  load_one(in, n, shared);
  for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
    const int i = 2 * stride * thread_in_block();
    if (i < int(blockDim.x)) add_to(shared[i], shared[i + stride]);
    __syncthreads();
  }
  if (thread_in_block() == 0) out[blockIdx.x] = shared[0];
}

template <class T>
rung<T> r07() {
  return {.name = "r07 shared memory, interleaved",
          .run = [](const task<T>& t) { return until_one(r07_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r07_kernel<T>>};
}

}  // namespace ladder
