// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r11, unrolling over data blocks: a block reads 2, 4, 8 or 16 stretches of its own length; also with a pointer that
// moves on instead of an index, which saves registers, but no instructions, and moves the same bytes.
// Limited with few stretches by the instructions of the many short blocks, which each end in a tree with a barrier a
// step; with 16 by memory.
// Source: Cheng, Grossman and McKercher, as r02, there only where the last stretch is whole: the elements of a
// partial block were lost.
#include "r08_sequential_addressing.cuh"

namespace ladder {

/// The sum of the values that a thread has in its block's stretches.
template <int Unroll, class T>
__device__ T sum_of_stretches(const T* in, int n) {
  const int first = int(blockIdx.x * blockDim.x) * Unroll + thread_in_block();
  T sum{};
#pragma unroll
  for (int k = 0; k < Unroll; ++k) {
    const int i = first + k * int(blockDim.x);
    if (i < n) add_to(sum, in[i]);
  }
  return sum;
}

template <int Unroll, class T>
__device__ T sum_of_stretches_by_pointer(const T* in, int n) {
  const T* p = in + int(blockIdx.x * blockDim.x) * Unroll + thread_in_block();
  const T* const end = in + n;
  T sum{};
#pragma unroll
  for (int k = 0; k < Unroll; ++k, p += blockDim.x) {
    if (p < end) add_to(sum, *p);
  }
  return sum;
}

enum class walk { index, pointer };

template <walk By, int Unroll, class T>
__global__ void r11_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  shared[thread_in_block()] =
      By == walk::index ? sum_of_stretches<Unroll>(in, n) : sum_of_stretches_by_pointer<Unroll>(in, n);
  __syncthreads();
  sum_in_shared(shared);
  if (thread_in_block() == 0) out[blockIdx.x] = shared[0];
}

template <class T, int Unroll, walk By = walk::index>
rung<T> r11() {
  constexpr auto kernel = r11_kernel<By, Unroll, T>;
  return {.name = "r11 unroll " + std::to_string(Unroll) + (By == walk::pointer ? ", by pointer" : ""),
          .run = [](const task<T>& t) { return until_one(kernel, usual_block, usual_block * Unroll, t); },
          .look = look_at<kernel>};
}

}  // namespace ladder
