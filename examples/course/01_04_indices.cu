// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is who in a two-dimensional grid: x runs fastest, then y, for blocks and for threads; 32 threads in that order
// are a warp. Good before writing the first index expression. The hardware is asked as well: a shuffle from the lane
// that a thread takes itself to be must return its own value.
// Source: CUDA C++ Programming Guide, thread hierarchy.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct place {
  int block, warp, lane;  // in the grid, in the block, in the warp
  int x, y;               // of the element that the thread stands for
  int echo, warp_first;   // what the shuffles said
};

// [kernel]
__global__ void find_places(place* places) {
  const int threads = int(blockDim.x * blockDim.y);
  const int thread = int(threadIdx.y * blockDim.x + threadIdx.x);
  const int block = int(blockIdx.y * gridDim.x + blockIdx.x);
  const int warp = thread / 32, lane = thread % 32;
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);

  const int lanes = threads - warp * 32;  // the last warp may have fewer than 32
  const unsigned mask = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
  const int echo = __shfl_sync(mask, thread, lane), warp_first = __shfl_sync(mask, thread, 0);
  places[block * threads + thread] = {block, warp, lane, x, y, echo, warp_first};
}
// [kernel]

int main() {
  constexpr int width = 13, height = 5, across = 3, down = 2, n = width * height * across * down;
  place* places = nullptr;
  std::vector<place> got(n);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(across, down);
  config.blockDim = dim3(width, height);
  cudaError_t e = cudaMalloc(&places, n * sizeof(place));
  if (e == cudaSuccess) e = cudaMemset(places, 0xff, n * sizeof(place));
  if (e == cudaSuccess) e = cudaLaunchKernelEx(&config, find_places, places);
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), places, n * sizeof(place), cudaMemcpyDeviceToHost);
  (void)cudaFree(places);

  // The reference only counts: it divides nothing and multiplies nothing but the blocks' corners.
  bool right = e == cudaSuccess;
  int i = 0, block = 0;
  for (int block_y = 0; block_y < down; ++block_y) {
    for (int block_x = 0; block_x < across; ++block_x, ++block) {
      int warp = 0, lane = 0, thread = 0, warp_first = 0;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x, ++i, ++thread) {
          const place& p = got[i];
          right &= p.block == block && p.warp == warp && p.lane == lane;
          right &= p.x == block_x * width + x && p.y == block_y * height + y;
          right &= p.echo == thread && p.warp_first == warp_first;
          if (lane == 0) {
            std::printf("block %d = (%d, %d), warp %d starts at thread (%d, %d), element (%d, %d)\n", p.block, block_x,
                        block_y, p.warp, x, y, p.x, p.y);
          }
          if (++lane == 32) {
            lane = 0;
            ++warp;
            warp_first = thread + 1;
          }
        }
      }
    }
  }
  std::printf("%d threads: %s (%s)\n", n, right ? "right" : "wrong", cudaGetErrorString(e));
  return right ? 0 : 1;
}
