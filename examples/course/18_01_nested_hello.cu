// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that launch kernels: a hello at every depth, by three strategies. Each block launches a child of its own, of
// half as many threads; or one thread of the grid launches one child for all blocks; or it launches a child of half as
// many blocks, each as large as before. The first two say hello from as many threads, and the second makes far fewer
// grids. A depth limit ends any of them early.
// GPU only: the SIMT device launches nothing from a kernel.
// Compile it with -rdc=true.
// Source: nestedHelloWorld and its exercises in "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "course.hpp"

using namespace course;

constexpr int block_size = 32, most_depths = 6;

enum class strategy { child_of_each_block, child_of_the_grid, half_the_blocks };

struct tally {
  int grids[most_depths], threads[most_depths];
};

// [kernel]
template <strategy How>
__global__ void hello(int depth, int depth_limit, bool aloud, tally* counts) {
  if (aloud && threadIdx.x == 0) std::printf("hello from depth %d, block %d\n", depth, int(blockIdx.x));
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(&counts->grids[depth], 1);
  atomicAdd(&counts->threads[depth], 1);
  const int half = int(How == strategy::half_the_blocks ? gridDim.x : blockDim.x) / 2;
  if (half == 0 || depth + 1 >= depth_limit || threadIdx.x > 0) return;
  if constexpr (How == strategy::child_of_each_block) {
    hello<How><<<1, half>>>(depth + 1, depth_limit, aloud, counts);
  } else if (blockIdx.x == 0) {
    const bool fewer_blocks = How == strategy::half_the_blocks;
    const unsigned blocks = fewer_blocks ? half : gridDim.x, threads = fewer_blocks ? blockDim.x : half;
    hello<How><<<blocks, threads>>>(depth + 1, depth_limit, aloud, counts);
  }
  if (cudaGetLastError() != cudaSuccess) __trap();  // a child that did not start must not go unnoticed
}
// [kernel]

template <strategy How>
bool show(const char* name, int blocks, int depth_limit) {
  const device_array<tally> counts(1);
  check(cudaMemset(counts.data(), 0, sizeof(tally)));
  hello<How><<<blocks, block_size>>>(0, depth_limit, blocks <= 2, counts.data());
  check(cudaGetLastError());
  const tally got = counts.on_host()[0];  // a grid ends when all that it launched have ended
  bool right = true;
  int grids = 0;
  for (int depth = 0; depth < most_depths; ++depth) {
    const bool reached = depth < depth_limit && (How != strategy::half_the_blocks || blocks >> depth > 0);
    const int children = How == strategy::child_of_each_block && depth > 0 ? blocks : 1;
    const int blocks_here = How == strategy::half_the_blocks ? blocks >> depth : blocks;
    const int threads = How == strategy::half_the_blocks ? block_size : block_size >> depth;
    right &= got.threads[depth] == (reached ? blocks_here * threads : 0);
    right &= got.grids[depth] == (reached ? children : 0);
    grids += got.grids[depth];
  }
  const double us = time_us([&] { hello<How><<<blocks, block_size>>>(0, depth_limit, false, counts.data()); }, 1);
  std::printf("%s, %d blocks, %d depths: %d grids, %s%s\n", name, blocks, depth_limit, grids, figure(us, "us").c_str(),
              right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int most = size_to_run(count, arguments, usual_size(4, 64), 128);
  bool right = true;
  for (int blocks : {2, most}) {
    for (int depth_limit : {3, most_depths}) {
      right &= show<strategy::child_of_each_block>("a child of each block", blocks, depth_limit);
      right &= show<strategy::child_of_the_grid>("a child of the grid", blocks, depth_limit);
      right &= show<strategy::half_the_blocks>("a child of half the blocks", blocks, depth_limit);
    }
  }
  return verdict(right);
}
