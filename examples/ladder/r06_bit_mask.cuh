// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r06, a bit mask for the modulo: 2 * stride is a power of two, so its remainder is an AND.
// Limited by divergence: all warps still take all steps, with ever fewer threads at work.
// Source: Han and Sharma, chapter 3.
#include "r05_shared_modulo.cuh"

namespace ladder {

template <class T>
__global__ void r06_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  load_one(in, n, shared);
  const unsigned t = threadIdx.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if ((t & (2 * stride - 1)) == 0) add_to(shared[t], shared[t + stride]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = shared[0];
}

template <class T>
rung<T> r06() {
  return {.name = "r06 shared memory, bit mask",
          .run = [](const task<T>& t) { return until_one(r06_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r06_kernel<T>>};
}

}  // namespace ladder
