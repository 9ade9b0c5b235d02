// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order blocks, warps and lanes come: each thread leaves its number in one word by an atomic exchange and gets
// that of the thread before it, so that all of them make a chain. Blocks and warps come in any order, and a program
// must not count on one. The lanes of a warp execute an instruction together: the chain shows in which order the memory
// serves them, and whether another warp comes between. What is observed is no promise, and the host SIMT device mixes
// the lanes on purpose. An atomic addition would not show it: the compiler makes one of a warp and numbers the lanes
// itself.
// Source: the index printer of "Learn CUDA Programming" (Han and Sharma).
#include "course.hpp"

using namespace course;

// [kernel]
__global__ void come(int* last, int* before) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  before[thread] = atomicExch(last, thread);
}
// [kernel]

/// How often an earlier item of the list has a later place than its successor.
int steps_back(const std::vector<int>& places) {
  int count = 0;
  for (std::size_t i = 1; i < places.size(); ++i) count += places[i - 1] > places[i];
  return count;
}

int main() {
  constexpr int blocks = 64, block_size = 128, threads = blocks * block_size, warps = threads / 32;
  const device_array<int> last(std::vector<int>{-1}), before_of(threads);
  before_of.poison();
  come<<<blocks, block_size>>>(last.data(), before_of.data());
  check(cudaGetLastError());
  const std::vector<int> before = before_of.on_host();

  std::vector<int> thread_of, place(threads), first_of_block(blocks, threads), first_of_warp(warps, threads);
  for (int thread = last.on_host()[0]; thread >= 0 && int(thread_of.size()) < threads; thread = before[thread]) {
    thread_of.push_back(thread);
  }
  std::reverse(thread_of.begin(), thread_of.end());
  std::vector<int> all = thread_of;
  std::sort(all.begin(), all.end());
  for (int i = 0; i < threads; ++i) {  // each thread is in the chain once
    if (int(all.size()) != threads || all[i] != i) return verdict(false);
  }
  for (int at = 0; at < threads; ++at) {
    const int thread = thread_of[at];
    place[thread] = at;
    first_of_block[thread / block_size] = std::min(first_of_block[thread / block_size], at);
    first_of_warp[thread / 32] = std::min(first_of_warp[thread / 32], at);
  }
  int ordered_warps = 0, whole_warps = 0;
  for (int warp = 0; warp < warps; ++warp) {
    const std::vector<int> lanes(place.begin() + warp * 32, place.begin() + warp * 32 + 32);
    ordered_warps += steps_back(lanes) == 0;
    whole_warps += *std::max_element(lanes.begin(), lanes.end()) - first_of_warp[warp] == 31;
  }
  std::printf("the first warps to come, block.warp:");
  for (int at = 0, shown = 0, shown_last = -1; at < threads && shown < 16; ++at) {
    const int warp = thread_of[at] / 32;
    if (warp == shown_last) continue;
    std::printf(" %d.%d", warp * 32 / block_size, warp % (block_size / 32));
    shown_last = warp;
    ++shown;
  }
  std::printf("\nof %d blocks, %d came after their successor; of %d warps, %d\n", blocks, steps_back(first_of_block),
              warps, steps_back(first_of_warp));
  std::printf("of %d warps, the lanes of %d came in order, and those of %d without another warp between\n", warps,
              ordered_warps, whole_warps);
  return verdict(true);
}
