// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant memory: 64 KiB that a kernel only reads, with a cache of its own that gives one word at a time. An index
// that is the same for the whole warp costs one read; lanes that ask for k different words wait for k reads. Global
// memory does not mind different words of one line. Neither is needed for a number that stands in the source: the
// compiler puts it into the instruction, and a kernel's parameters lie in constant memory already.
// Source: "Constant Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, entries = 1024;

__constant__ int constant_table[entries];

// [kernel]
/// Each entry holds its own place, so each read says where the next one goes, and none can be left out.
__global__ void read_constant(int different, int rounds, int* ends, long long* cycles) {
  int at = int(threadIdx.x) % different;
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) at = constant_table[at];
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  ends[threadIdx.x] = at;
}

__global__ void read_global(const int* __restrict__ table, int different, int rounds, int* ends, long long* cycles) {
  int at = int(threadIdx.x) % different;
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) at = table[at];
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  ends[threadIdx.x] = at;
}
// [kernel]

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(10, 2000));
  std::vector<int> places;
  for (int i = 0; i < entries; ++i) places.push_back(i);
  check(cudaMemcpyToSymbol(constant_table, places.data(), entries * sizeof(int)));
  const device_array<int> table(places), ends(block_size);
  const device_array<long long> cycles(1);
  bool right = true;
  std::printf("cycles that a read of all %d warps of a block takes:\n", block_size / 32);
  for (int different : {1, 2, 4, 8, 16, 32}) {
    double best[2] = {1e30, 1e30};
    for (int form = 0; form < 2; ++form) {
      for (int run = 0; run < 3; ++run) {
        ends.poison();
        if (form == 0) {
          read_constant<<<1, block_size>>>(different, rounds, ends.data(), cycles.data());
        } else {
          read_global<<<1, block_size>>>(table.data(), different, rounds, ends.data(), cycles.data());
        }
        check(cudaGetLastError());
        best[form] = std::min(best[form], double(cycles.on_host()[0]) / rounds);
      }
      const std::vector<int> got = ends.on_host();
      for (int i = 0; i < block_size; ++i) right &= got[i] == i % different;
    }
    std::printf("%2d different words a warp: constant memory %s, global memory %s\n", different,
                figure(best[0], "cycles").c_str(), figure(best[1], "cycles").c_str());
  }
  return verdict(right);
}
