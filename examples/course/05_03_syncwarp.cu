// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After a branch the lanes of a warp need not be together again: each has a program counter of its own, and a side of
// the branch may run while the other one waits for memory. __syncwarp() brings them together and shows each what the
// others have written; without it the exchange below would be a race. How far both sides overlap is seen in cycles.
// Source: "Independent Thread Scheduling" in NVIDIA's Volta tuning guide and "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 32, places = 1 << 12;

enum sides { even = 1, odd = 2 };

// [kernel]
__global__ void branch(const int* next, int run, int steps, int* found, long long* cycles) {
  __shared__ int mine[block_size];
  const int lane = int(threadIdx.x);
  int at = lane;
  __syncwarp();
  const long long begin = clock64();
  if (lane % 2 == 0) {
    for (int i = 0; i < steps && (run & even); ++i) at = next[at];
  } else {
    for (int i = 0; i < steps && (run & odd); ++i) at = next[at] ^ 1;
  }
  mine[lane] = at;
  __syncwarp();  // together again, and all of `mine` is there
  if (lane == 0) *cycles = clock64() - begin;
  found[lane] = mine[lane ^ 1];
}
// [kernel]

int main(int count, char** arguments) {
  const int steps = size_to_run(count, arguments, usual_size(7, 1000));
  std::vector<int> next;
  for (int i = 0; i < places; ++i) next.push_back(int(unsigned(i) * 1229u + 77u) % places);
  const device_array<int> table(next), found(block_size);
  const device_array<long long> cycles(1);
  bool right = true;
  double took[4] = {};
  for (int run : {int(even), int(odd), even | odd}) {
    took[run] = 1e30;
    for (int sample = 0; sample < 3; ++sample) {
      found.poison();
      branch<<<1, block_size>>>(table.data(), run, steps, found.data(), cycles.data());
      check(cudaGetLastError());
      took[run] = std::min(took[run], double(cycles.on_host()[0]) / steps);
    }
    const std::vector<int> got = found.on_host();
    for (int lane = 0; lane < block_size; ++lane) {
      const int partner = lane ^ 1;
      int at = partner;
      for (int i = 0; i < steps; ++i) {
        if (partner % 2 == 0 && (run & even)) at = next[at];
        if (partner % 2 == 1 && (run & odd)) at = next[at] ^ 1;
      }
      right &= got[lane] == at;
    }
  }
  std::printf("a step of the even lanes: %s, of the odd ones: %s, of both sides of the branch: %s\n",
              figure(took[even], "cycles").c_str(), figure(took[odd], "cycles").c_str(),
              figure(took[even | odd], "cycles").c_str());
  return verdict(right);
}
