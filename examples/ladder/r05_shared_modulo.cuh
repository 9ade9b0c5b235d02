// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r05, shared memory: each value is read once from global memory, the tree of r02 runs in shared memory.
// Limited by divergence as r02, and by the modulo: the stride is not known when compiling, so it is a division.
// Source: Harris, "Optimizing parallel reduction in CUDA"; Han and Sharma, chapter 3.
#include "passes.cuh"

namespace ladder {

/// A thread's value in shared memory. Where there is none it is 0, so that the trees need no more guards.
template <class T>
__device__ void load_one(const T* in, int n, T* shared) {
  const int i = thread_in_grid();
  shared[thread_in_block()] = i < n ? in[i] : T{};
  __syncthreads();
}

template <class T>
__global__ void r05_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  load_one(in, n, shared);
  const unsigned t = threadIdx.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) add_to(shared[t], shared[t + stride]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = shared[0];
}

template <class T>
rung<T> r05() {
  return {.name = "r05 shared memory, modulo",
          .run = [](const task<T>& t) { return until_one(r05_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r05_kernel<T>>};
}

}  // namespace ladder
