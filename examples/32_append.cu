// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appending to one list from all threads: lanes are counted by a vote, warps by a shared atomic, and one global atomic
// a block claims the room. Good for work queues and sparse results whose order does not matter.
// Source: Adinets, "Optimized filtering with warp-aggregated atomics", NVIDIA developer blog; one level more here.
#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

__host__ __device__ bool is_hit(int value) { return value % 5 == 2; }

// [kernel]
/// Appends the indices of the hits. `counts[0]` grows by all hits, also by those for which `list` has no room;
/// `counts[1]` counts the global atomics.
__global__ void append_hits(const int* in, int n, int* list, int capacity, int* counts) {
  GPUPRIM_SHARED(block_count, int);
  GPUPRIM_SHARED(block_place, int);
  if (threadIdx.x == 0) block_count = 0;
  __syncthreads();
  const int lane = int(threadIdx.x) % 32, i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const bool hit = i < n && is_hit(in[i]);
  const unsigned hits = __ballot_sync(0xffffffffu, hit);
  int place = 0;
  if (lane == 0) place = atomicAdd(&block_count, __popc(hits));  // the warp's place in the block
  place = __shfl_sync(0xffffffffu, place, 0) + __popc(hits & ((1u << lane) - 1));
  __syncthreads();
  if (threadIdx.x == 0 && block_count > 0) {
    block_place = atomicAdd(&counts[0], block_count);  // the block's place in the list
    atomicAdd(&counts[1], 1);
  }
  __syncthreads();
  if (!hit) return;
  place += block_place;
  if (place < capacity) list[place] = i;  // place == capacity is past the end already
}
// [kernel]

int main() {
  constexpr int n = 10007, block_size = 128, blocks = (n + block_size - 1) / block_size;
  std::vector<int> values(n), want;
  for (int i = 0; i < n; ++i) {
    values[i] = int(unsigned(i) * 7919u % 10009u);
    if (is_hit(values[i])) want.push_back(i);
  }
  const int hits = int(want.size());
  int *in = nullptr, *list = nullptr, *counts = nullptr;
  cudaError_t e = cudaMalloc(&in, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&list, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&counts, 2 * sizeof(int));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  bool right = true;
  for (int capacity : {n, hits, hits - 1, 501}) {
    std::vector<int> got(n);
    int got_counts[2] = {};
    if (e == cudaSuccess) e = cudaMemset(list, 0xff, n * sizeof(int));
    if (e == cudaSuccess) e = cudaMemset(counts, 0, 2 * sizeof(int));
    if (e == cudaSuccess) e = gpuprim::launch(append_hits, blocks, block_size, nullptr, in, n, list, capacity, counts);
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), list, n * sizeof(int), cudaMemcpyDeviceToHost);
    if (e == cudaSuccess) e = cudaMemcpy(got_counts, counts, sizeof got_counts, cudaMemcpyDeviceToHost);
    const int stored = capacity < hits ? capacity : hits;
    std::sort(got.begin(), got.begin() + stored);  // the order is any
    right &= got_counts[0] == hits && got_counts[1] <= blocks;
    right &= std::includes(want.begin(), want.end(), got.begin(), got.begin() + stored);  // each hit at most once
    right &= std::all_of(got.begin() + stored, got.end(), [](int index) { return index == -1; });
    std::printf("%d hits, %d stored, %d global atomics\n", got_counts[0], stored, got_counts[1]);
  }
  for (int* p : {in, list, counts}) (void)cudaFree(p);
  std::printf("%s (%s)\n", right ? "right" : "wrong", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
