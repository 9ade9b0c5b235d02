// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values change their threads. A block puts the even numbers of each tile before the odd ones and keeps the order of
// both: it loads neighbouring numbers into each thread, finds the place of each by a scan, moves them through shared
// memory and stores them coalesced. And a warp loads points of three floats coalesced, which leaves each lane with
// parts of several points, and gives every lane a whole point by shuffles.
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cmath>
#include <cstdio>

constexpr int block_size = 128, items = 4, tile = block_size * items, n = 3 * tile - 100, points = 128;

// [partition]
__global__ void partition_tiles(const int* in, int* out) {
  const gpuprim::this_block block;
  const int base = int(blockIdx.x) * tile, count = n - base < tile ? n - base : tile;
  const int first = int(block.thread_rank()) * items;
  int values[items], evens_before[items], ranks[items], evens = 0;
  gpuprim::block_load<block_size>(block, in + base, values, count, 1);  // coalesced, then each thread's own neighbours
  for (int i = 0; i < items; ++i) evens_before[i] = values[i] % 2 == 0;
  gpuprim::block_exclusive_scan<block_size>(block, evens_before, gpuprim::plus{}, 0, evens);
  for (int i = 0; i < items; ++i) {
    const int odds_before = first + i - evens_before[i];
    ranks[i] = values[i] % 2 == 0 ? evens_before[i] : evens + odds_before;
  }
  gpuprim::block_scatter_to_striped<block_size>(block, values, ranks);
  gpuprim::block_store<block_size, gpuprim::tile_transfer::striped>(block, values, out + base, count);
}
// [partition]

// [points]
__global__ void find_lengths(const float* coordinates, float* lengths) {
  const gpuprim::warp_tile<32> warp;
  const int lane = int(warp.thread_rank()), first = int(threadIdx.x) - lane;
  float point[3];
  for (int i = 0; i < 3; ++i) point[i] = coordinates[first * 3 + i * 32 + lane];  // coalesced
  gpuprim::warp_striped_to_blocked(warp, point);                                  // x, y and z of one point
  lengths[first + lane] = std::sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
}
// [points]

// [warp]
/// Each lane has the three numbers of one point; loads and stores are coalesced.
__global__ void halve_points(float* coordinates) {
  const gpuprim::warp_tile<32> warp;
  float* const of_warp = coordinates + threadIdx.x / 32 * 32 * 3;
  float point[3] = {};
  gpuprim::warp_load(warp, of_warp, point);
  for (float& x : point) x /= 2;
  gpuprim::warp_store(warp, point, of_warp);
}
// [warp]

template <class T>
T* allocate(int count) {
  void* memory = nullptr;
  return cudaMallocManaged(&memory, std::size_t(count) * sizeof(T)) == cudaSuccess ? static_cast<T*>(memory) : nullptr;
}

int main() {
  int *in = allocate<int>(n), *out = allocate<int>(n);
  float *coordinates = allocate<float>(3 * points), *lengths = allocate<float>(points);
  if (!in || !out || !coordinates || !lengths) return 1;
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 1000;
  for (int i = 0; i < points; ++i) {
    for (int k = 0; k < 3; ++k) coordinates[3 * i + k] = float(k + 1) * float(i);
  }
  cudaError_t e = gpuprim::launch(partition_tiles, (n + tile - 1) / tile, block_size, nullptr, in, out);
  if (e == cudaSuccess) e = gpuprim::launch(find_lengths, 1, points, nullptr, coordinates, lengths);
  if (e == cudaSuccess) e = gpuprim::launch(halve_points, 1, points, nullptr, coordinates);
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  bool is_right = e == cudaSuccess;

  for (int base = 0; is_right && base < n; base += tile) {
    int at = base;
    for (int rest = 0; rest < 2; ++rest) {
      for (int i = base; i < base + tile && i < n; ++i) {
        if (in[i] % 2 == rest) is_right = is_right && out[at++] == in[i];
      }
    }
  }
  for (int i = 0; is_right && i < points; ++i) {
    for (int k = 0; k < 3; ++k) is_right = is_right && coordinates[3 * i + k] == float(k + 1) * float(i) / 2;
    is_right = is_right && std::fabs(lengths[i] - std::sqrt(14.0f) * float(i)) <= 1e-5f * lengths[i];
  }
  std::printf("%d numbers, evens first in each tile, and %d lengths: %s (%s)\n", n, points,
              is_right ? "right" : "wrong", cudaGetErrorString(e));
  for (void* memory : {(void*)in, (void*)out, (void*)coordinates, (void*)lengths}) (void)cudaFree(memory);
  return is_right ? 0 : 1;
}
