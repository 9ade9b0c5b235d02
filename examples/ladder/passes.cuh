// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the launches of several rungs share.
#include "rung.hpp"

#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

namespace ladder {

/// Threads of a block where a rung does not say otherwise. The trees halve it, so it must be a power of two.
inline constexpr int usual_block = 256;

inline int divide_up(int n, int by) { return (n - 1) / by + 1; }

__device__ inline int thread_in_block() { return int(threadIdx.x); }
__device__ inline int thread_in_grid() { return int(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ inline int threads_in_grid() { return int(gridDim.x * blockDim.x); }

/// Launches `kernel(from, n, to)`, whose blocks each make one value of `per_block` values, on what the last launch
/// left, until one value is left.
template <class T, class In>
cudaError_t until_one(void (*kernel)(In*, int, T*), int block_size, int per_block, const task<T>& t) {
  T* from = t.in;
  T* partials = t.scratch;
  for (int left = t.n;;) {
    const int blocks = divide_up(left, per_block);
    T* to = blocks == 1 ? t.out : partials;
    if (cudaError_t e = gpuprim::launch(kernel, blocks, block_size, t.stream, from, left, to)) return e;
    if (blocks == 1) return cudaSuccess;
    from = partials;
    partials += blocks;
    left = blocks;
  }
}

/// As many blocks as the GPU holds at once, by the occupancy API, but no more than have work.
template <class... Parameters>
cudaError_t resident_blocks(void (*kernel)(Parameters...), int block_size, int with_work, int& blocks) {
  int device = 0, multiprocessors = 0, fit = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)) return e;
  if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, block_size, 0)) return e;
  if (fit == 0) return cudaErrorInvalidConfiguration;
  blocks = fit * multiprocessors < with_work ? fit * multiprocessors : with_work;
  return cudaSuccess;
}

/// A grid that just fills the GPU leaves a value a block; one block joins them.
template <class T>
cudaError_t in_two_passes(void (*kernel)(const T*, int, T*), int block_size, int per_block, const task<T>& t) {
  int blocks = 0;
  if (cudaError_t e = resident_blocks(kernel, block_size, divide_up(t.n, per_block), blocks)) return e;
  T* to = blocks == 1 ? t.out : t.scratch;
  cudaError_t e = gpuprim::launch(kernel, blocks, block_size, t.stream, t.in, t.n, to);
  if (e == cudaSuccess && blocks > 1) {
    e = gpuprim::launch(kernel, 1, block_size, t.stream, t.scratch, blocks, t.out);
  }
  return e;
}

/// Registers and theoretical occupancy of a kernel, asked for when the table is printed.
template <auto Kernel, int BlockSize = usual_block, class T>
cudaError_t look_at(T*, int, figures& f) {
  int device = 0, threads = 0, fit = 0;
  cudaFuncAttributes attributes;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, Kernel)) return e;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device)) return e;
  if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, Kernel, BlockSize, 0)) return e;
  f = {BlockSize, attributes.numRegs, double(fit) * BlockSize / threads};
  return cudaSuccess;
}

}  // namespace ladder
