// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r10, loads in flight: a thread asks for several values before it needs the first, and adds them to sums of their own.
// Limited by the bytes in flight, which are still 4 a load: 16-byte loads are what r18 adds. The second
// launch costs its start.
// Source: Han and Sharma, chapter 3; Little's law.
#include "r08_sequential_addressing.cuh"

namespace ladder {

inline constexpr int usual_loads = 4;

/// The sum of what a thread of the grid reads; used by the rungs above, too.
template <int LoadsPerThread, class T>
__device__ T sum_of_thread(const T* in, int n) {
  T sums[LoadsPerThread] = {};
  const int stride = threads_in_grid();
#pragma unroll 1  // LoadsPerThread says how many, not the compiler
  for (int first = thread_in_grid(); first < n; first += stride * LoadsPerThread) {
    T loaded[LoadsPerThread];
#pragma unroll
    for (int k = 0; k < LoadsPerThread; ++k) {
      const int i = first + k * stride;
      loaded[k] = i < n ? in[i] : T{};
    }
#pragma unroll
    for (int k = 0; k < LoadsPerThread; ++k) add_to(sums[k], loaded[k]);
  }
#pragma unroll
  for (int k = 1; k < LoadsPerThread; ++k) add_to(sums[0], sums[k]);
  return sums[0];
}

template <int LoadsPerThread, class T>
__global__ void r10_kernel(const T* in, int n, T* out) {
  GPUPRIM_SHARED(shared, T[usual_block]);
  shared[thread_in_block()] = sum_of_thread<LoadsPerThread>(in, n);
  __syncthreads();
  sum_in_shared(shared);
  if (thread_in_block() == 0) out[blockIdx.x] = shared[0];
}

template <class T>
rung<T> r10() {
  constexpr auto kernel = r10_kernel<usual_loads, T>;
  return {.name = "r10 4 loads in flight",
          .run = [](const task<T>& t) { return in_two_passes(kernel, usual_block, usual_block * usual_loads, t); },
          .look = look_at<kernel>};
}

}  // namespace ladder
