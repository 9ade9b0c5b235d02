// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order blocks, warps and lanes run: each thread draws a ticket. Blocks and warps come in any order, and a
// program must not count on one. On a GPU the lanes of a warp mostly execute an instruction together, so their tickets
// come in one piece unless another warp draws in between. What is observed here is no promise, and the host SIMT device
// mixes the lanes on purpose.
// Source: the index printer of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "course.hpp"

using namespace course;

// [kernel]
__global__ void draw(int* next, int* ticket_of) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  ticket_of[thread] = atomicAdd(next, 1);
}
// [kernel]

/// How often an earlier item of the list has a later ticket than its successor.
int steps_back(const std::vector<int>& tickets) {
  int count = 0;
  for (std::size_t i = 1; i < tickets.size(); ++i) count += tickets[i - 1] > tickets[i];
  return count;
}

int main() {
  constexpr int blocks = 64, block_size = 128, threads = blocks * block_size, warps = threads / 32;
  const device_array<int> next(1), ticket_of(threads);
  check(cudaMemset(next.data(), 0, sizeof(int)));
  ticket_of.poison();
  draw<<<blocks, block_size>>>(next.data(), ticket_of.data());
  check(cudaGetLastError());
  const std::vector<int> ticket = ticket_of.on_host();

  std::vector<int> thread_of(threads, -1), first_of_block(blocks, threads), first_of_warp(warps, threads);
  bool right = true;
  for (int i = 0; i < threads && right; ++i) {
    right = ticket[i] >= 0 && ticket[i] < threads && thread_of[ticket[i]] < 0;  // each ticket is drawn once
    if (!right) break;
    thread_of[ticket[i]] = i;
    first_of_block[i / block_size] = std::min(first_of_block[i / block_size], ticket[i]);
    first_of_warp[i / 32] = std::min(first_of_warp[i / 32], ticket[i]);
  }
  if (!right) return verdict(false);
  int ordered_warps = 0, whole_warps = 0;
  for (int warp = 0; warp < warps; ++warp) {
    const std::vector<int> lanes(ticket.begin() + warp * 32, ticket.begin() + warp * 32 + 32);
    ordered_warps += steps_back(lanes) == 0;
    whole_warps += *std::max_element(lanes.begin(), lanes.end()) - first_of_warp[warp] == 31;
  }
  std::printf("the first warps to draw, block.warp:");
  for (int place = 0, shown = 0, last = -1; place < threads && shown < 16; ++place) {
    const int warp = thread_of[place] / 32;
    if (warp == last) continue;
    std::printf(" %d.%d", warp * 32 / block_size, warp % (block_size / 32));
    last = warp;
    ++shown;
  }
  std::printf("\nof %d blocks, %d began after their successor; of %d warps, %d\n", blocks, steps_back(first_of_block),
              warps, steps_back(first_of_warp));
  std::printf("of %d warps, the lanes of %d drew in order, and those of %d without another warp between\n", warps,
              ordered_warps, whole_warps);
  return verdict(true);
}
