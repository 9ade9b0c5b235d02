// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory has 32 banks of 4 bytes: word w lies in bank w % 32, and each bank gives one word at a time. Lanes that
// are `stride` words apart meet in gcd(stride, 32) ways: an odd stride has no conflict, a stride of 32 is 32 reads one
// after the other. A row of 33 words in place of 32 makes the stride of a column odd.
// Source: "Shared Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <numeric>

using namespace course;

constexpr int block_size = 256, chains = 4, words = 1024;

// [kernel]
/// Every word of the tile holds its own place, so each read says where the next one goes: the compiler can leave none
/// out. Several chains a thread keep the banks busy.
__global__ void read_with_stride(int stride, int rounds, int* ends, long long* cycles) {
  __shared__ int tile[words];
  for (int i = int(threadIdx.x); i < words; i += block_size) tile[i] = i;
  const int lane = int(threadIdx.x % 32);
  int at[chains];
  for (int k = 0; k < chains; ++k) at[k] = (lane * stride + 32 * k) % words;
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < chains; ++k) at[k] = tile[at[k]];
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  for (int k = 0; k < chains; ++k) ends[k * block_size + int(threadIdx.x)] = at[k];
}
// [kernel]

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(10, 2000));
  const device_array<int> ends(chains * block_size);
  const device_array<long long> cycles(1);
  bool right = true;
  double one_way = 0;
  std::printf("stride, ways, cycles a read of a warp, times the first\n");
  for (int stride : {1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 24, 31, 32, 33}) {
    double best = 1e30;
    for (int run = 0; run < 3; ++run) {
      ends.poison();
      read_with_stride<<<1, block_size>>>(stride, rounds, ends.data(), cycles.data());
      check(cudaGetLastError());
      const double reads = double(rounds) * chains * (block_size / 32);
      best = std::min(best, double(cycles.on_host()[0]) / reads);
    }
    if (stride == 1) one_way = best;
    const std::vector<int> got = ends.on_host();
    for (int i = 0; i < chains * block_size; ++i) {
      right &= got[i] == (i % 32 * stride + 32 * (i / block_size)) % words;
    }
    std::printf("%2d, %2d, %s, %s\n", stride, std::gcd(stride, 32), figure(best, "cycles").c_str(),
                figure(best / one_way, "times").c_str());
  }
  return verdict(right);
}
