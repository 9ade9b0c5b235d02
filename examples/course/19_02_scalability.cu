// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time against the number of multiprocessors used: p blocks, which the GPU spreads over as many multiprocessors. Strong
// scaling keeps the work: Amdahl's law says 1 / (s + (1 - s) / p) times as fast for a serial share s, and the share
// that would explain each time is shown. Weak scaling lets the work grow with p: Gustafson's law says s + (1 - s) p
// times the work in the same time. Arithmetic scales until launches count; memory only until its bandwidth is reached.
// A small part of the array would come from the L2 cache if it were read again, so each run reads the next part of it.
// Source: "Strong Scaling and Amdahl's Law", "Weak Scaling and Gustafson's Law" in the "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 1024, loads = 4;

enum class limit { arithmetic, memory };

__host__ __device__ inline unsigned iterate(unsigned x) {
  for (int round = 0; round < 64; ++round) x = (x ^ x >> 15) * 2246822519u;
  return x;
}

// [kernel]
template <limit By>
__global__ void add_up(const unsigned* in, int first_of_part, int n, unsigned* sums) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  unsigned sum = 0;
  for (int first = thread; first < n; first += loads * threads) {
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const int i = first + k * threads;
      if (i < n) sum += By == limit::memory ? in[first_of_part + i] : iterate(unsigned(first_of_part + i));
    }
  }
  sums[thread] = sum;
}
// [kernel]

template <limit By>
bool show(const char* name, const std::vector<unsigned>& values, int n, int most_blocks) {
  const device_array<unsigned> in(values), sums(std::size_t(most_blocks) * block_size);
  std::vector<unsigned> want = {0};  // of the first i values
  for (int i = 0; i < n; ++i) want.push_back(want.back() + (By == limit::memory ? values[i] : iterate(unsigned(i))));
  bool right = true;
  double alone[2] = {};
  for (int blocks = 1;; blocks = std::min(2 * blocks, most_blocks)) {
    std::printf("%-10s %4d blocks:", name, blocks);
    for (const bool weak : {false, true}) {
      const int part = weak ? int(std::int64_t(n) * blocks / most_blocks) : n;
      sums.poison();
      int runs = 0, from = 0;
      const double us = time_us(
          [&] {
            from = part * (runs++ % (n / std::max(part, 1)));
            add_up<By><<<blocks, block_size>>>(in.data(), from, part, sums.data());
          },
          1);
      if (blocks == 1) alone[weak] = us;
      std::vector<unsigned> got = sums.on_host();
      got.resize(std::size_t(blocks) * block_size);
      unsigned sum = 0;
      for (unsigned x : got) sum += x;
      right &= sum == want[from + part] - want[from];
      if (weak) {
        std::printf(" work grown, %s for the same time\n", figure(blocks * alone[1] / us, "times the work").c_str());
        continue;
      }
      const double faster = alone[0] / us;
      const double serial = blocks > 1 ? (blocks / faster - 1) / (blocks - 1) : 0;
      std::printf(" work kept, %s, %s faster, as if %s were serial;", figure(us, "us").c_str(),
                  figure(faster, "times").c_str(), figure(100 * serial, "%").c_str());
    }
    if (blocks == most_blocks) break;
  }
  return right;
}

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 26), 1 << 28);
  const int multiprocessors = on_gpu ? attribute(cudaDevAttrMultiProcessorCount) : 3;
  std::vector<unsigned> values;
  for (int i = 0; i < n; ++i) values.push_back(unsigned(i) * 7u);
  bool right = show<limit::arithmetic>("arithmetic", values, n / 16, multiprocessors);
  right &= show<limit::memory>("memory", values, n, multiprocessors);
  return verdict(right);
}
