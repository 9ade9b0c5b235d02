// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r12, the last warp unrolled: when 32 threads are left, they need no barrier of the block.
// Limited by the steps above a warp. The sources had a volatile pointer instead of __syncwarp: the lanes of a warp no
// longer run in step, so they must wait for one another between reading and writing what others write and read.
// Source: Harris, as r05; Cheng, Grossman and McKercher, as r02.
#include "r11_block_unrolling.cuh"

namespace ladder {

inline constexpr int usual_unroll = 8;

/// Leaves the sum of shared[0 ... 63] in shared[0]; for the threads of warp 0.
template <class T>
__device__ void sum_in_last_warp(T* shared) {
  const int t = thread_in_block();
  T sum = shared[t];
#pragma unroll
  for (int stride = 32; stride > 0; stride /= 2) {
    add_to(sum, shared[t + stride]);
    __syncwarp();
    shared[t] = sum;
    __syncwarp();
  }
}

template <class T>
__global__ void r12_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  const int t = thread_in_block();
  shared[t] = sum_of_stretches<usual_unroll>(in, n);
  __syncthreads();
  for (int stride = int(blockDim.x) / 2; stride > 32; stride /= 2) {
    if (t < stride) add_to(shared[t], shared[t + stride]);
    __syncthreads();
  }
  if (t < 32) sum_in_last_warp(shared);
  if (t == 0) out[blockIdx.x] = shared[0];
}

template <class T>
rung<T> r12() {
  return {.name = "r12 last warp unrolled",
          .run = [](const task<T>& t) { return until_one(r12_kernel<T>, usual_block, usual_block * usual_unroll, t); },
          .look = look_at<r12_kernel<T>>};
}

}  // namespace ladder
