// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel fit on a multiprocessor, by hand: the least of what its threads, its block slots, its
// registers and its shared memory allow. Beside it, what the occupancy API says of a kernel.
// Source: the occupancy chapter of NVIDIA's "CUDA C++ Best Practices Guide", which has the worked example.
#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>

// [calculator]
struct multiprocessor {
  int threads = 2048, blocks = 32, registers = 65536;  // compute capability 7.0 and 9.0
  int shared_bytes = 0, reserved_shared_bytes = 0, shared_unit = 128;
};

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_that_fit(const multiprocessor& sm, int block_size, int registers_per_thread, int shared_bytes) {
  const int warps = round_up(block_size, 32) / 32;
  int fit = std::min(sm.blocks, sm.threads / 32 / warps);
  // Registers are handed out 256 at a time to a warp, and warps come in fours: one for each scheduler.
  const int registers_of_warp = round_up(registers_per_thread * 32, 256);
  fit = std::min(fit, sm.registers / registers_of_warp / 4 * 4 / warps);
  const int shared_of_block = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return shared_of_block > 0 ? std::min(fit, sm.shared_bytes / shared_of_block) : fit;
}

double occupancy(const multiprocessor& sm, int block_size, int blocks) {
  return double(blocks) * round_up(block_size, 32) / sm.threads;
}
// [calculator]

bool worked_example(int block_size, int registers_per_thread, int want_blocks, int want_percent) {
  const multiprocessor sm;
  const int blocks = blocks_that_fit(sm, block_size, registers_per_thread, 0);
  const long percent = std::lround(100 * occupancy(sm, block_size, blocks));
  std::printf("%d registers, block %d: %d blocks, %ld %%\n", registers_per_thread, block_size, blocks, percent);
  return blocks == want_blocks && percent == want_percent;
}

__global__ void reverse(int* data) {
  int* stage = gpuprim::dynamic_shared<int>();
  stage[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = stage[blockDim.x - 1 - threadIdx.x];
}

cudaError_t read_device(multiprocessor& sm) {
  int device = 0, major = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  const auto ask = [&](int& to, cudaDeviceAttr what) { return cudaDeviceGetAttribute(&to, what, device); };
  if (cudaError_t e = ask(major, cudaDevAttrComputeCapabilityMajor)) return e;
  sm.shared_unit = major >= 8 ? 128 : 256;
  if (cudaError_t e = ask(sm.threads, cudaDevAttrMaxThreadsPerMultiProcessor)) return e;
  if (cudaError_t e = ask(sm.blocks, cudaDevAttrMaxBlocksPerMultiprocessor)) return e;
  if (cudaError_t e = ask(sm.registers, cudaDevAttrMaxRegistersPerMultiprocessor)) return e;
  if (cudaError_t e = ask(sm.shared_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor)) return e;
  return ask(sm.reserved_shared_bytes, cudaDevAttrReservedSharedMemoryPerBlock);
}

int main() {
  bool right = worked_example(128, 37, 12, 75) && worked_example(320, 37, 4, 63);
  right &= worked_example(128, 32, 16, 100) && worked_example(128, 33, 12, 75);  // 33 registers cost as much as 40
  multiprocessor sm;
  cudaFuncAttributes kernel;
  cudaError_t e = read_device(sm);
  if (e == cudaSuccess) e = cudaFuncGetAttributes(&kernel, reverse);
  for (int block_size : {32, 96, 128, 320, 500, 608, 1024}) {
    for (int shared_bytes : {4 * block_size, 12345, 40000}) {
      int api = 0;
      if (e == cudaSuccess) {
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&api, reverse, block_size, std::size_t(shared_bytes));
      }
      if (e != cudaSuccess) break;
      const int mine = blocks_that_fit(sm, block_size, kernel.numRegs, int(kernel.sharedSizeBytes) + shared_bytes);
      std::printf("%d registers, block %d, %d B shared: %d blocks, the API says %d, %.0f %%\n", kernel.numRegs,
                  block_size, shared_bytes, mine, api, 100 * occupancy(sm, block_size, api));
      right &= mine == api;
    }
  }
  std::printf("%s (%s)\n", right ? "equal" : "DIFFERENT", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
