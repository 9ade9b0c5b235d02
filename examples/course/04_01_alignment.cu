// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where memory begins and how blocks fill warps. cudaMalloc gives addresses that are multiples of 256 bytes, whatever
// the size, so that the first warp of an array reads whole sectors; cudaMallocPitch lengthens the rows of a matrix, so
// that each row begins like that. A block is divided into warps of 32: one of 33 threads takes two, of which the second
// has 31 lanes that do nothing. So the size of a block is a multiple of 32.
// Source: "A Sequential but Misaligned Access Pattern" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

// [kernel]
__global__ void count_lanes(int* warps, int* lanes) {
  atomicAdd(lanes, 1);
  if (threadIdx.x % 32 == 0) atomicAdd(warps, 1);
}
// [kernel]

int main() {
  constexpr std::uintptr_t alignment = 256;
  bool right = true;
  std::vector<void*> blocks;
  std::uintptr_t common = 0;
  for (std::size_t bytes : {1, 4, 100, 255, 256, 257, 1000, 4097}) {
    void* address = nullptr;
    check(cudaMalloc(&address, bytes));
    common |= reinterpret_cast<std::uintptr_t>(address);
    blocks.push_back(address);
  }
  right &= common % alignment == 0;
  for (void* address : blocks) check(cudaFree(address));
  std::printf("all addresses are multiples of %llu bytes\n", static_cast<unsigned long long>(common & (~common + 1)));

  void* rows = nullptr;
  std::size_t pitch = 0;
  check(cudaMallocPitch(&rows, &pitch, 1000, 5));
  right &= pitch >= 1000 && pitch % 32 == 0 && reinterpret_cast<std::uintptr_t>(rows) % alignment == 0;
  std::printf("rows of 1000 bytes lie %d bytes apart\n", int(pitch));
  check(cudaFree(rows));

  for (int block_size : {1, 32, 33, 100, 128, 165, 1000}) {
    const device_array<int> counts(std::vector<int>{0, 0});
    count_lanes<<<1, block_size>>>(counts.data(), counts.data() + 1);
    check(cudaGetLastError());
    const std::vector<int> got = counts.on_host();
    right &= got[0] == blocks_for(block_size, 32) && got[1] == block_size;
    std::printf("a block of %4d threads: %2d warps, %5.1f %% of their lanes have a thread\n", block_size, got[0],
                100.0 * got[1] / (32 * got[0]));
  }
  return verdict(right);
}
