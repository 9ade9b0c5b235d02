// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable two-way partition: those that pass first, the others behind. Each block stages its tile in shared memory in
// output order, which gpuprim::block_partition finds, so that every element is written once and neighbours go to
// neighbours. Good for radix sort and trees.
// Source: Harris, Sengupta and Owens, "Parallel prefix sum (scan) with CUDA", GPU Gems 3 (split).
#include <gpuprim/compact.cuh>
#include <gpuprim/reduce.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int block_size = 128;

__host__ __device__ bool passes(int value) { return value % 3 == 0; }

// [kernel]
__global__ void count_passing(const int* in, int n, int* counts) {
  const int i = int(blockIdx.x) * block_size + int(threadIdx.x);
  const int count = __syncthreads_count(i < n && passes(in[i]));
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

__global__ void partition(const int* in, int n, const int* counts, int* out) {
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank());
  int earlier = 0, all = 0;  // that pass: in the blocks before this one, and in all blocks
  for (int b = rank; b < int(gridDim.x); b += block_size) {
    all += counts[b];
    if (b < int(blockIdx.x)) earlier += counts[b];
  }
  earlier = gpuprim::block_all_reduce<block_size>(block, earlier, gpuprim::plus{});
  all = gpuprim::block_all_reduce<block_size>(block, all, gpuprim::plus{});

  GPUPRIM_SHARED(stage, int[block_size]);
  const int start = int(blockIdx.x) * block_size, i = start + rank;
  const int tile = n - start < block_size ? n - start : block_size;
  const int value = i < n ? in[i] : 0;
  const auto [place, parts] = gpuprim::block_partition<block_size>(block, i < n && passes(value));
  const int passing = parts[0];
  stage[place] = value;  // what is not there goes behind all that is
  block.sync();
  if (rank < tile) {  // the stage is in output order: two runs
    const int others = all + (start - earlier);
    out[rank < passing ? earlier + rank : others + rank - passing] = stage[rank];
  }
}
// [kernel]

int main() {
  constexpr int n = 10007, blocks = (n + block_size - 1) / block_size;
  std::vector<int> values(n), got(n);
  for (int i = 0; i < n; ++i) values[i] = int(unsigned(i) * 7919u % 10009u);
  int *in = nullptr, *out = nullptr, *counts = nullptr;
  cudaError_t e = cudaMalloc(&in, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&out, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&counts, blocks * sizeof(int));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = gpuprim::launch(count_passing, blocks, block_size, nullptr, in, n, counts);
  if (e == cudaSuccess) e = gpuprim::launch(partition, blocks, block_size, nullptr, in, n, counts, out);
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int* p : {in, out, counts}) (void)cudaFree(p);
  const auto middle = std::stable_partition(values.begin(), values.end(), passes);
  const bool right = got == values;
  std::printf("%d of %d pass: %s (%s)\n", int(middle - values.begin()), n, right ? "right" : "wrong",
              cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
