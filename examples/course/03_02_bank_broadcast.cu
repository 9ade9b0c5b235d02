// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is a bank conflict and what is not: lanes that read the same word share one read (broadcast), also when several
// words are shared by some lanes each; lanes in any order over different banks do not wait for each other. Only lanes
// that read different words of one bank do.
// Source: "Shared Memory" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

#include <set>

using namespace course;

constexpr int block_size = 256, chains = 4, words = 1024;

// [kernel]
__global__ void read_by_pattern(const int* word_of_lane, int rounds, int* ends, long long* cycles) {
  __shared__ int tile[words];
  for (int i = int(threadIdx.x); i < words; i += block_size) tile[i] = i;
  int at[chains];
  for (int k = 0; k < chains; ++k) at[k] = (word_of_lane[threadIdx.x % 32] + 32 * k) % words;
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < chains; ++k) at[k] = tile[at[k]];  // a word holds its own place
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  for (int k = 0; k < chains; ++k) ends[k * block_size + int(threadIdx.x)] = at[k];
}
// [kernel]

struct pattern {
  const char* name;
  int (*word)(int lane);
};

/// Different words in the bank that has most of them.
int ways_of(const pattern& p) {
  std::set<int> of_bank[32];
  std::size_t most = 0;
  for (int lane = 0; lane < 32; ++lane) {
    auto& bank = of_bank[p.word(lane) % 32];
    bank.insert(p.word(lane));
    most = std::max(most, bank.size());
  }
  return int(most);
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(10, 2000));
  const pattern patterns[] = {
      {"each lane its own bank", [](int lane) { return lane; }},
      {"the banks in reverse", [](int lane) { return 31 - lane; }},
      {"the banks in another order, in different rows", [](int lane) { return lane * 37 % words; }},
      {"one word for all", [](int) { return 5; }},
      {"one word for each half warp, different banks", [](int lane) { return lane / 16; }},
      {"one word for each half warp, the same bank", [](int lane) { return lane / 16 * 32; }},
      {"eight words, four lanes each", [](int lane) { return lane / 4; }},
      {"four words of one bank, eight lanes each", [](int lane) { return lane / 8 * 32; }},
      {"32 words of one bank", [](int lane) { return lane * 32; }},
  };
  const device_array<int> ends(chains * block_size);
  const device_array<long long> cycles(1);
  bool right = true;
  for (const pattern& p : patterns) {
    std::vector<int> word_of_lane;
    for (int lane = 0; lane < 32; ++lane) word_of_lane.push_back(p.word(lane));
    const device_array<int> on_device(word_of_lane);
    double best = 1e30;
    for (int run = 0; run < 3; ++run) {
      ends.poison();
      read_by_pattern<<<1, block_size>>>(on_device.data(), rounds, ends.data(), cycles.data());
      check(cudaGetLastError());
      best = std::min(best, double(cycles.on_host()[0]) / (double(rounds) * chains * (block_size / 32)));
    }
    const std::vector<int> got = ends.on_host();
    for (int i = 0; i < chains * block_size; ++i) {
      right &= got[i] == (word_of_lane[i % 32] + 32 * (i / block_size)) % words;
    }
    std::printf("%-46s %2d-way, %s a read of a warp\n", p.name, ways_of(p), figure(best, "cycles").c_str());
  }
  return verdict(right);
}
