// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans at the levels of a block: in registers, in a warp's tile, in the block. A block keeps the multiples of three of
// an array, in order: an exclusive scan of what each thread keeps says where it writes, and a running prefix goes from
// tile to tile. An inclusive scan composes steps that do not commute.
#include <gpuprim/scan.cuh>

#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <vector>

constexpr int block_size = 128, items = 4, n = 5000;

// [levels]
__global__ void scan_levels(int* out) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<8> tile;
  const int rank = int(block.thread_rank());

  int mine[] = {rank, 1, 1};
  const int sum = gpuprim::thread_inclusive_scan(mine, gpuprim::plus{});  // {rank, rank + 1, rank + 2}, in registers
  const int before = gpuprim::warp_exclusive_scan(tile, sum, gpuprim::plus{});  // of the lanes before, of 8
  int total = 0;
  const int largest =
      gpuprim::block_inclusive_scan<block_size>(block, before, gpuprim::maximum{}, gpuprim::total_to{total});
  // [levels]
  out[rank] = largest;
  if (rank == 0) out[block_size] = total;
}

// [compact]
__global__ void keep_multiples(const int* in, int* kept, int* count) {
  const gpuprim::this_block block;
  gpuprim::running_prefix at{0};
  for (int first = 0; first < n; first += block_size * items) {
    int values[items], places[items];
    for (int i = 0; i < items; ++i) {
      const int from = first + int(block.thread_rank()) * items + i;
      values[i] = from < n ? in[from] : 1;
      places[i] = values[i] % 3 == 0;
    }
    gpuprim::block_exclusive_scan<block_size>(block, places, gpuprim::plus{}, at);
    for (int i = 0; i < items; ++i) {
      if (values[i] % 3 == 0) kept[places[i]] = values[i];
    }
  }
  if (block.thread_rank() == 0) *count = at.value;
}
// [compact]

struct step {  // x -> scale * x + offset
  unsigned scale, offset;
};
struct then {  // first one step, then the other: associative, but the order matters
  __host__ __device__ step operator()(step a, step b) const {
    return {a.scale * b.scale, a.offset * b.scale + b.offset};
  }
};

__global__ void run_recurrence(const step* in, unsigned* out) {
  const step all = gpuprim::block_inclusive_scan<block_size>(gpuprim::this_block{}, in[threadIdx.x], then{});
  out[threadIdx.x] = all.scale * 7 + all.offset;  // x after so many steps from 7
}

template <class T>
T* allocate(int count) {
  void* memory = nullptr;
  return cudaMallocManaged(&memory, std::size_t(count) * sizeof(T)) == cudaSuccess ? static_cast<T*>(memory) : nullptr;
}

int main() {
  int *levels = allocate<int>(block_size + 1), *in = allocate<int>(n);
  int *kept = allocate<int>(n), *count = allocate<int>(1);
  auto* steps = allocate<step>(block_size);
  auto* states = allocate<unsigned>(block_size);
  if (!levels || !in || !kept || !count || !steps || !states) return 1;
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 1000;
  for (unsigned i = 0; i < block_size; ++i) steps[i] = {i + 2, 3 * i};
  cudaError_t e = gpuprim::launch(scan_levels, 1, block_size, nullptr, levels);
  if (e == cudaSuccess) e = gpuprim::launch(keep_multiples, 1, block_size, nullptr, in, kept, count);
  if (e == cudaSuccess) e = gpuprim::launch(run_recurrence, 1, block_size, nullptr, steps, states);
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  bool is_right = e == cudaSuccess;

  int largest = 0, sum = 0, found = 0;
  for (int i = 0; is_right && i < block_size; ++i) {
    if (i % 8 == 0) sum = 0;
    if (sum > largest) largest = sum;
    is_right = levels[i] == largest;
    sum += i + 2;
  }
  is_right = is_right && levels[block_size] == largest;
  for (int i = 0; is_right && i < n; ++i) {
    if (in[i] % 3 == 0) is_right = kept[found++] == in[i];
  }
  unsigned x = 7;
  for (int i = 0; is_right && i < block_size; ++i) {
    x = steps[i].scale * x + steps[i].offset;
    is_right = states[i] == x;
  }
  std::printf("kept %d of %d: %s (%s)\n", found, n, is_right && *count == found ? "right" : "wrong",
              cudaGetErrorString(e));
  is_right = is_right && *count == found;
  for (void* memory : {(void*)levels, (void*)in, (void*)kept, (void*)count, (void*)steps, (void*)states}) {
    (void)cudaFree(memory);
  }
  return is_right ? 0 : 1;
}
