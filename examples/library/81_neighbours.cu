// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is next to a value: a block stores the differences of neighbouring numbers, from which an inclusive scan makes
// the numbers again, and marks where a run of equal numbers begins and ends. Each tile gets the number before it and
// the one behind it, so that tiles need no exceptions. A shift gives each thread the value of the thread before.
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdio>

constexpr int block_size = 64, items = 4, tile = block_size * items, tiles = 4, n = tiles * tile;

// [neighbours]
__global__ void look_around(const int* in, int* differences, int* heads, int* tails, int* starts) {
  const gpuprim::this_block block;
  const int base = int(blockIdx.x) * tile;
  const int before = base > 0 ? in[base - 1] : 0, behind = base + tile < n ? in[base + tile] : -1;
  int values[items], results[items], is_head[items], is_tail[items];
  gpuprim::block_load<block_size>(block, in + base, values);

  const auto subtract = [](int value, int earlier) { return value - earlier; };
  gpuprim::block_adjacent_difference<block_size>(block, values, results, subtract, before);
  gpuprim::block_store<block_size>(block, results, differences + base);

  const auto differ = [](int earlier, int later) { return earlier != later; };
  gpuprim::block_flag_heads_and_tails<block_size>(block, values, is_head, is_tail, differ, before, behind);
  gpuprim::block_store<block_size>(block, is_head, heads + base);
  gpuprim::block_store<block_size>(block, is_tail, tails + base);

  // The last number of the thread before, and for the first thread, of the tile before.
  starts[blockIdx.x * block_size + block.thread_rank()] =
      gpuprim::block_shift_up<block_size>(block, values[items - 1], before);
}
// [neighbours]

template <class T>
T* allocate(int count) {
  void* memory = nullptr;
  return cudaMallocManaged(&memory, std::size_t(count) * sizeof(T)) == cudaSuccess ? static_cast<T*>(memory) : nullptr;
}

int main() {
  int *in = allocate<int>(n), *differences = allocate<int>(n), *heads = allocate<int>(n), *tails = allocate<int>(n);
  int* starts = allocate<int>(tiles * block_size);
  if (!in || !differences || !heads || !tails || !starts) return 1;
  for (int i = 0; i < n; ++i) in[i] = 1 + i * i / 700;
  cudaError_t e = gpuprim::launch(look_around, tiles, block_size, nullptr, in, differences, heads, tails, starts);
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  bool is_right = e == cudaSuccess;

  int sum = 0, runs = 0;
  for (int i = 0; is_right && i < n; ++i) {
    sum += differences[i];
    runs += heads[i];
    is_right = sum == in[i] && heads[i] == (i == 0 || in[i] != in[i - 1]) &&
               tails[i] == (i == n - 1 || in[i] != in[i + 1]) &&
               (i % items != 0 || starts[i / items] == (i == 0 ? 0 : in[i - 1]));
  }
  std::printf("%d numbers in %d runs: %s (%s)\n", n, runs, is_right ? "right" : "wrong", cudaGetErrorString(e));
  for (void* memory : {(void*)in, (void*)differences, (void*)heads, (void*)tails, (void*)starts}) {
    (void)cudaFree(memory);
  }
  return is_right ? 0 : 1;
}
