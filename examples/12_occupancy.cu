// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel fit on a multiprocessor, by hand, and what keeps out one more: the least of what its
// threads, its block slots, its registers and its shared memory allow. Beside it, what the occupancy API says of a
// kernel, and the occupancy of a reduce (gpuprim::launch_plan).
// Source: the occupancy chapter of NVIDIA's "CUDA C++ Best Practices Guide", which has the worked example.
#include "measure.hpp"

#include <gpuprim/reduce.cuh>

#include <cmath>
#include <string_view>

// [calculator]
struct multiprocessor {
  int threads = 2048, blocks = 32, registers = 65536;  // compute capability 7.0 and 9.0
  int shared_bytes = 0, reserved_shared_bytes = 0, shared_unit = 128;
};

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

struct fit {
  int blocks;
  const char* limiter;
};

fit blocks_that_fit(const multiprocessor& sm, int block_size, int registers_per_thread, int shared_bytes) {
  const int warps = round_up(block_size, 32) / 32;
  fit least{sm.threads / 32 / warps, "threads"};
  const auto limit = [&](int blocks, const char* by) {
    if (blocks < least.blocks) least = {blocks, by};
  };
  limit(sm.blocks, "block slots");
  // Registers are handed out 256 at a time to a warp, and warps come in fours: one for each scheduler.
  const int registers_of_warp = round_up(registers_per_thread * 32, 256);
  limit(sm.registers / registers_of_warp / 4 * 4 / warps, "registers");
  const int shared_of_block = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared_of_block > 0) limit(sm.shared_bytes / shared_of_block, "shared memory");
  return least;
}
// [calculator]

bool worked_example(int block_size, int registers, int want_blocks, int want_percent, std::string_view want_limiter) {
  const multiprocessor sm;
  const fit f = blocks_that_fit(sm, block_size, registers, 0);
  const long percent = std::lround(100.0 * f.blocks * round_up(block_size, 32) / sm.threads);
  std::printf("%d registers, block %d: %d blocks, %ld %%: %s\n", registers, block_size, f.blocks, percent, f.limiter);
  return f.blocks == want_blocks && percent == want_percent && f.limiter == want_limiter;
}

__global__ void reverse(int* data) {
  int* stage = gpuprim::dynamic_shared<int>();
  stage[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = stage[blockDim.x - 1 - threadIdx.x];
}

multiprocessor read_device() {
  multiprocessor sm;
  int device = 0, major = 0;
  measure::check(cudaGetDevice(&device));
  const auto ask = [&](int& to, cudaDeviceAttr what) { measure::check(cudaDeviceGetAttribute(&to, what, device)); };
  ask(major, cudaDevAttrComputeCapabilityMajor);
  ask(sm.threads, cudaDevAttrMaxThreadsPerMultiProcessor);
  ask(sm.blocks, cudaDevAttrMaxBlocksPerMultiprocessor);
  ask(sm.registers, cudaDevAttrMaxRegistersPerMultiprocessor);
  ask(sm.shared_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  ask(sm.reserved_shared_bytes, cudaDevAttrReservedSharedMemoryPerBlock);
  sm.shared_unit = major >= 8 ? 128 : 256;
  return sm;
}

int main() {
  bool right = worked_example(128, 37, 12, 75, "registers") && worked_example(320, 37, 4, 63, "registers");
  right &= worked_example(128, 32, 16, 100, "threads") && worked_example(32, 16, 32, 50, "block slots");
  right &= worked_example(128, 33, 12, 75, "registers");  // 33 registers cost as much as 40
  const multiprocessor sm = read_device();
  cudaFuncAttributes kernel;
  measure::check(cudaFuncGetAttributes(&kernel, reverse));
  for (int block_size : {32, 96, 128, 320, 500, 608, 1024}) {
    for (int shared_bytes : {4 * block_size, 12345, 40000}) {
      int api = 0;
      measure::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&api, reverse, block_size, shared_bytes));
      const fit mine = blocks_that_fit(sm, block_size, kernel.numRegs, int(kernel.sharedSizeBytes) + shared_bytes);
      std::printf("block %d, %d B shared: %d by hand (%s), %d by the API\n", block_size, shared_bytes, mine.blocks,
                  mine.limiter, api);
      right &= mine.blocks == api;
    }
  }
  // [plan]
  const measure::device_array<float> in(1 << 20);
  const gpuprim::launch_plan plan = gpuprim::reduce_plan(in.data(), 1 << 20, in.data(), gpuprim::plus{}, 0.0f);
  plan.print();
  const fit by_hand = blocks_that_fit(sm, plan.block_size, plan.registers_per_thread, plan.shared_bytes);
  std::printf("%d blocks by hand, limited by %s\n", by_hand.blocks, by_hand.limiter);
  // [plan]
  right &= by_hand.blocks == plan.blocks_per_multiprocessor;
  std::printf("%s\n", right ? "equal" : "DIFFERENT");
  return right ? 0 : 1;
}
