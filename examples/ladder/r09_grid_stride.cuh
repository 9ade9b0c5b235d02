// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r09, grid stride: as many blocks as the occupancy API says fit; each thread adds up values a grid apart, in a
// register, and the tree runs once a block. Two launches do for any size.
// Limited by latency: a thread waits for each value before it asks for the next.
// Source: Harris, as r05; Han and Sharma, chapter 3.
#include "r08_sequential_addressing.cuh"

namespace ladder {

template <class T>
__global__ void r09_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  T sum{};
#pragma unroll 1  // the compiler would make r10 of it
  for (int i = thread_in_grid(); i < n; i += threads_in_grid()) add_to(sum, in[i]);
  shared[thread_in_block()] = sum;
  __syncthreads();
  sum_in_shared(shared);
  if (thread_in_block() == 0) out[blockIdx.x] = shared[0];
}

template <class T>
rung<T> r09() {
  return {.name = "r09 grid stride, occupancy grid",
          .run = [](const task<T>& t) { return in_two_passes(r09_kernel<T>, usual_block, usual_block, t); },
          .look = look_at<r09_kernel<T>>};
}

}  // namespace ladder
