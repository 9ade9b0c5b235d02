// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r14, warp shuffles: lanes hand each other registers, so a warp's tree needs no shared memory and no barrier; a block
// joins one value a warp. The reading is r10's.
// Limited by the loads: the tree is a small part by now. With xor instead of down every lane has the result.
// Source: Han and Sharma, chapter 3; Luitjens, "Faster parallel reductions on Kepler". Some sources return early
// before a shuffle whose mask names all lanes; here all lanes of a warp come to each.
#include "r10_loads_in_flight.cuh"

namespace ladder {

enum class shuffle { down, exclusive_or };

/// The warp's sum in lane 0, or by xor in every lane.
template <shuffle By, class T>
__device__ T sum_of_warp(T sum) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    add_to(sum, By == shuffle::down ? __shfl_down_sync(~0u, sum, offset) : __shfl_xor_sync(~0u, sum, offset));
  }
  return sum;
}

/// The block's sum, in thread 0. The block has a multiple of 32 threads.
template <shuffle By, class T>
__device__ T sum_of_block(T sum) {
  GPUPRIM_SHARED(warps, T[32]);
  const int t = thread_in_block(), lane = t % 32, warp = t / 32;
  sum = sum_of_warp<By>(sum);
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = sum_of_warp<By>(lane < int(blockDim.x) / 32 ? warps[lane] : T{});
  return sum;
}

template <shuffle By, class T>
__global__ void r14_kernel(const T* in, int n, T* out) {
  const T sum = sum_of_block<By>(sum_of_thread<usual_loads>(in, n));
  if (thread_in_block() == 0) out[blockIdx.x] = sum;
}

template <class T, shuffle By>
rung<T> r14() {
  constexpr auto kernel = r14_kernel<By, T>;
  return {.name = By == shuffle::down ? "r14 warp shuffles, down" : "r14 warp shuffles, xor",
          .run = [](const task<T>& t) { return in_two_passes(kernel, usual_block, usual_block * usual_loads, t); },
          .look = look_at<kernel>};
}

}  // namespace ladder
