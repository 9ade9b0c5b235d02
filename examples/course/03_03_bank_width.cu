// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of 8 and 16 bytes from shared memory: 32 banks give 128 bytes at a time, so a warp's read of 8 bytes a lane is
// done in two halves of 16 lanes, and one of 16 bytes in four quarters of 8. Conflicts count within a half or a quarter
// only. Wide reads do not give more bytes a cycle, they take fewer instructions for them.
// Source: "Shared Memory" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

#include <set>

using namespace course;

constexpr int block_size = 256, chains = 4, bytes = 32768;

__host__ __device__ inline int first_of(int v) { return v; }
__host__ __device__ inline int first_of(int2 v) { return v.x + v.y; }
__host__ __device__ inline int first_of(int4 v) { return v.x + v.y + v.z + v.w; }

// [kernel]
template <class T>
__global__ void read_wide(int stride, int rounds, int* ends, long long* cycles) {
  __shared__ int4 storage[bytes / sizeof(int4)];
  constexpr int elements = bytes / sizeof(T), words = sizeof(T) / sizeof(int);
  int* word = reinterpret_cast<int*>(storage);
  // The words of an element add up to its place, so that all of it has to be read to know where to read next.
  for (int i = int(threadIdx.x); i < elements * words; i += block_size) word[i] = i % words == 0 ? i / words : 0;
  const T* tile = reinterpret_cast<const T*>(storage);
  const int lane = int(threadIdx.x % 32);
  int at[chains];
  for (int k = 0; k < chains; ++k) at[k] = (lane * stride + 32 * k) % elements;
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < chains; ++k) at[k] = first_of(tile[at[k]]);
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  for (int k = 0; k < chains; ++k) ends[k * block_size + int(threadIdx.x)] = at[k];
}
// [kernel]

/// Reads of all banks that a warp's access takes: for each half or quarter, the words of its fullest bank.
int passes(int words, int stride) {
  int sum = 0;
  for (int first = 0; first < 32; first += 32 / words) {
    std::set<int> of_bank[32];
    std::size_t most = 0;
    for (int lane = first; lane < first + 32 / words; ++lane) {
      for (int w = 0; w < words; ++w) {
        const int word = lane * stride * words + w;
        of_bank[word % 32].insert(word);
        most = std::max(most, of_bank[word % 32].size());
      }
    }
    sum += int(most);
  }
  return sum;
}

template <class T>
bool show(int rounds) {
  constexpr int elements = bytes / sizeof(T), words = sizeof(T) / sizeof(int);
  const device_array<int> ends(chains * block_size);
  const device_array<long long> cycles(1);
  bool right = true;
  for (int stride : {1, 2, 3, 4, 8}) {
    double best = 1e30;
    for (int run = 0; run < 3; ++run) {
      ends.poison();
      read_wide<T><<<1, block_size>>>(stride, rounds, ends.data(), cycles.data());
      check(cudaGetLastError());
      best = std::min(best, double(cycles.on_host()[0]) / (double(rounds) * chains * (block_size / 32)));
    }
    const std::vector<int> got = ends.on_host();
    for (int i = 0; i < chains * block_size; ++i) {
      right &= got[i] == (i % 32 * stride + 32 * (i / block_size)) % elements;
    }
    std::printf("%2d bytes a lane, stride %d: %2d passes, %s a read of a warp, %s\n", int(sizeof(T)), stride,
                passes(words, stride), figure(best, "cycles").c_str(),
                figure(32 * sizeof(T) / best, "bytes a cycle").c_str());
  }
  return right;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(10, 2000));
  const bool right[] = {show<int>(rounds), show<int2>(rounds), show<int4>(rounds)};
  return verdict(right[0] && right[1] && right[2]);
}
