// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of a thread in the whole launch, for grids and blocks of one, two and three dimensions: nine shapes. x runs
// fastest, then y, then z, in a block and in the grid. A dimension that is not used is 1, so the formula of three
// dimensions serves for all; the shorter ones leave out what is 0.
// Source: the thread hierarchy of NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

// [index]
template <int Dimensions>
__device__ int block_index() {
  if constexpr (Dimensions == 1) {
    return int(blockIdx.x);
  } else if constexpr (Dimensions == 2) {
    return int(blockIdx.y * gridDim.x + blockIdx.x);
  } else {
    return int((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x);
  }
}

template <int Dimensions>
__device__ int thread_index() {
  if constexpr (Dimensions == 1) {
    return int(threadIdx.x);
  } else if constexpr (Dimensions == 2) {
    return int(threadIdx.y * blockDim.x + threadIdx.x);
  } else {
    return int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  }
}

struct place {
  uint3 block, thread;
};

template <int OfGrid, int OfBlock>
__global__ void note_places(place* places) {
  const int threads = int(blockDim.x * blockDim.y * blockDim.z);
  const int i = block_index<OfGrid>() * threads + thread_index<OfBlock>();
  places[i] = {blockIdx, threadIdx};
}
// [index]

bool same(const uint3& a, const uint3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// The next place in the order of counting: x first.
void step(uint3& at, const dim3& size) {
  if (++at.x < size.x) return;
  at.x = 0;
  if (++at.y < size.y) return;
  at.y = 0;
  ++at.z;
}

template <int OfGrid, int OfBlock>
bool show() {
  const dim3 grids[] = {{6}, {3, 2}, {3, 2, 2}}, blocks[] = {{96}, {16, 5}, {8, 4, 3}};
  const dim3 grid = grids[OfGrid - 1], block = blocks[OfBlock - 1];
  const unsigned block_count = grid.x * grid.y * grid.z, thread_count = block.x * block.y * block.z;
  const device_array<place> places(block_count * thread_count);
  places.poison();
  note_places<OfGrid, OfBlock><<<grid, block>>>(places.data());
  check(cudaGetLastError());
  const std::vector<place> got = places.on_host();
  bool right = true;
  uint3 at_block{};
  std::size_t i = 0;
  for (unsigned b = 0; b < block_count; ++b, step(at_block, grid)) {
    uint3 at_thread{};
    for (unsigned t = 0; t < thread_count; ++t, ++i, step(at_thread, block)) {
      right &= same(got[i].block, at_block) && same(got[i].thread, at_thread);
    }
  }
  std::printf("grid (%u, %u, %u) of blocks (%u, %u, %u): %d threads: %s\n", grid.x, grid.y, grid.z, block.x, block.y,
              block.z, int(i), right ? "right" : "WRONG");
  return right;
}

int main() {
  bool right = show<1, 1>() && show<1, 2>() && show<1, 3>();
  right &= show<2, 1>() && show<2, 2>() && show<2, 3>();
  right &= show<3, 1>() && show<3, 2>() && show<3, 3>();
  return verdict(right);
}
