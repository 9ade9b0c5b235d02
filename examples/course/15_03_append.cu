// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appending to one list from all threads: lanes are counted by votes, warps in shared memory, and one global atomic
// operation a block claims the room. What does not fit is counted and not stored. Good for work queues and sparse
// results whose order does not matter.
// Source: Adinets, "Optimized filtering with warp-aggregated atomics", NVIDIA developer blog; one level more here.
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int block_size = 128;

__host__ __device__ bool is_hit(int value) { return value % 5 == 2; }

// [kernel]
/// Appends the indices of the hits, those of a block by one atomic operation on the count of the list.
__global__ void append_hits(const int* in, int n, gpuprim::append_queue<int> list) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  gpuprim::block_append<block_size>(gpuprim::this_block{}, list, i, i < n && is_hit(in[i]));
}
// [kernel]

int main() {
  constexpr int n = 10007, blocks = (n + block_size - 1) / block_size;
  std::vector<int> values(n), want;
  for (int i = 0; i < n; ++i) {
    values[i] = int(unsigned(i) * 7919u % 10009u);
    if (is_hit(values[i])) want.push_back(i);
  }
  const int hits = int(want.size());
  int *in = nullptr, *items = nullptr;
  unsigned long long* count = nullptr;
  cudaError_t e = cudaMalloc(&in, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&items, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&count, sizeof(*count));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  bool right = true;
  for (int capacity : {n, hits, hits - 1, 501}) {
    std::vector<int> got(n);
    if (e == cudaSuccess) e = cudaMemset(items, 0xff, n * sizeof(int));
    if (e == cudaSuccess) e = cudaMemset(count, 0, sizeof(*count));
    // [host]
    const gpuprim::append_queue<int> list{items, capacity, count};
    if (e == cudaSuccess) e = gpuprim::launch(append_hits, blocks, block_size, nullptr, in, n, list);
    if (e != cudaSuccess) break;
    const gpuprim::queue_state state = gpuprim::read_queue(list);  // waits for the kernel
    // [host]
    const auto stored = std::ptrdiff_t(state.stored);
    e = cudaMemcpy(got.data(), items, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(got.begin(), got.begin() + stored);  // the order is any
    right &= state.asked == hits && stored == (capacity < hits ? capacity : hits);
    right &= state.has_overflowed() == (capacity < hits);
    right &= std::includes(want.begin(), want.end(), got.begin(), got.begin() + stored);  // each hit at most once
    right &= std::all_of(got.begin() + stored, got.end(), [](int index) { return index == -1; });
    std::printf("%d hits, room for %d: %d stored%s\n", int(state.asked), capacity, int(stored),
                state.has_overflowed() ? ", overflow" : "");
  }
  (void)cudaFree(in), (void)cudaFree(items), (void)cudaFree(count);
  std::printf("%s (%s)\n", right ? "right" : "wrong", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
