// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same sum at the levels of a block: registers, a warp's tile, rows of a warp, the block.
#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

#include <cstdio>

// [kernel]
__global__ void sum_levels(int* out) {
  auto block = cooperative_groups::this_thread_block();
  auto tile = cooperative_groups::tiled_partition<8>(block);
  const int rank = int(block.thread_rank());

  const int mine[] = {rank, rank, rank, rank};
  const int thread = gpuprim::thread_reduce(mine, gpuprim::plus{});            // in registers
  const int warp = gpuprim::warp_all_reduce(tile, thread, gpuprim::plus{});    // 8 lanes, the result in each
  const int all = gpuprim::block_reduce<128>(block, thread, gpuprim::plus{});  // 128 threads, the result in rank 0
  // [kernel]
  gpuprim::uninitialized_array<int, 2> rows;
  rows[0] = thread;
  rows[1] = 1;
  const int both_rows = gpuprim::warp_all_reduce_rows(rows, gpuprim::plus{});
  const auto vector = gpuprim::load_vector<int>(out);  // 16 bytes: four ints, all zero before the kernel
  block.sync();
  if (rank == 0) {
    out[0] = warp;
    out[1] = all;
    out[2] = both_rows;
    out[3] = vector[0] + vector[1] + vector[2] + vector[3];
  }
}

int main() {
  int* out = nullptr;
  int got[4] = {};
  cudaError_t e = cudaMalloc(&out, sizeof got);
  if (e == cudaSuccess) e = cudaMemset(out, 0, sizeof got);
  if (e == cudaSuccess) e = gpuprim::launch(sum_levels, 1, 128, nullptr, out);
  if (e == cudaSuccess) e = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  (void)cudaFree(out);
  std::printf("tile %d, block %d, rows %d: %s\n", got[0], got[1], got[2], cudaGetErrorString(e));
  return e == cudaSuccess && got[0] == 4 * 28 && got[1] == 4 * 8128 && got[2] == 4 * 496 + 32 && got[3] == 0 ? 0 : 1;
}
