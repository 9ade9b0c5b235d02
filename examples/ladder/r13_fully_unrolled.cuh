// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r13, fully unrolled: the block size is a template parameter, so no loop is left; a switch picks it at run time.
// Limited by the tree itself: shared memory is written and read in each step, with a barrier in between.
// Source: Harris, as r05; Cheng, Grossman and McKercher, as r02.
#include "r12_last_warp.cuh"

namespace ladder {

template <int BlockSize, class T>
__global__ void __launch_bounds__(BlockSize) r13_kernel(const T* in, int n, T* out) {
  static_assert(BlockSize >= 64 && (BlockSize & (BlockSize - 1)) == 0, "r13 halves the block down to a warp");
  GPUPRIM_SHARED(shared, T[BlockSize]);
  const int t = thread_in_block();
  shared[t] = sum_of_stretches<usual_unroll>(in, n);
  __syncthreads();
#pragma unroll
  for (int stride = BlockSize / 2; stride > 32; stride /= 2) {
    if (t < stride) add_to(shared[t], shared[t + stride]);
    __syncthreads();
  }
  if (t < 32) sum_in_last_warp(shared);
  if (t == 0) out[blockIdx.x] = shared[0];
}

/// The kernel for a block size that is known only at run time; none for a size that was not compiled.
template <class T>
auto r13_kernel_for(int block_size) -> void (*)(const T*, int, T*) {
  switch (block_size) {
    case 64:
      return r13_kernel<64, T>;
    case 128:
      return r13_kernel<128, T>;
    case 256:
      return r13_kernel<256, T>;
    case 512:
      return r13_kernel<512, T>;
    case 1024:
      return r13_kernel<1024, T>;
    default:
      return nullptr;
  }
}

template <class T>
cudaError_t run_r13(int block_size, const task<T>& t) {
  const auto kernel = r13_kernel_for<T>(block_size);
  if (kernel == nullptr) return cudaErrorInvalidConfiguration;
  return until_one(kernel, block_size, block_size * usual_unroll, t);
}

template <class T, int BlockSize>
rung<T> r13() {
  return {.name = "r13 fully unrolled, block " + std::to_string(BlockSize),
          .run = [](const task<T>& t) { return run_r13(BlockSize, t); },
          .look = look_at<r13_kernel<BlockSize, T>, BlockSize>};
}

}  // namespace ladder
