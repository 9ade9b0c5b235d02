// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block sorts a tile: each block finds the median and the quartiles of its own 1,000 samples. And a block parts a
// tile by one digit: its samples come together by the hundred that they are in.
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/sort.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int block_size = 256, items = 4, samples = 1000, sensors = 12;

// [kernel]
__global__ void find_quartiles(const float* in, float* quartiles) {
  const gpuprim::this_block block;
  const float* const own = in + int(blockIdx.x) * samples;
  float keys[items];
  for (int i = 0; i < items; ++i) {
    const int at = int(block.thread_rank()) * items + i;
    keys[i] = at < samples ? own[at] : 0;
  }
  // The first 1,000 of the block's 1,024 keys are sorted; those of rank 0 come first.
  gpuprim::block_radix_sort<block_size>(block, keys, gpuprim::ascending, samples);
  for (int i = 0; i < items; ++i) {
    const int at = int(block.thread_rank()) * items + i;
    for (int q = 0; q < 3; ++q) {
      if (at == samples / 4 * (q + 1)) quartiles[int(blockIdx.x) * 3 + q] = keys[i];
    }
  }
}
// [kernel]

// [rank]
__global__ void part_by_hundred(const int* in, int* parted, int* begins) {
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank());
  int values[items], places[items];
  unsigned hundreds[items];
  for (int i = 0; i < items; ++i) {  // 32 neighbours of a warp side by side, then the next 32
    const int at = (rank / 32 * items + i) * 32 + rank % 32;
    values[i] = in[at];
    hundreds[i] = unsigned(values[i]) / 100;
  }
  const int begin = gpuprim::block_radix_rank<block_size, 4>(block, hundreds, places);
  if (rank < 16) begins[rank] = begin;  // where the values of each hundred begin
  gpuprim::block_scatter_to_striped<block_size>(block, values, places);
  for (int i = 0; i < items; ++i) parted[i * block_size + rank] = values[i];
}
// [rank]

bool parts_by_hundred() {
  std::vector<int> values, begins(16);
  for (int i = 0; i < block_size * items; ++i) values.push_back(int(unsigned(i) * 2654435761u >> 12) % 1600);
  const measure::device_array<int> in(values), parted(values.size()), first(begins.size());
  if (gpuprim::launch(part_by_hundred, 1, block_size, nullptr, in.data(), parted.data(), first.data())) return false;
  std::stable_sort(values.begin(), values.end(), [](int a, int b) { return a / 100 < b / 100; });
  for (int i = 0; i < 16; ++i) {
    begins[std::size_t(i)] = int(std::count_if(values.begin(), values.end(), [&](int v) { return v / 100 < i; }));
  }
  return parted.on_host() == values && first.on_host() == begins;
}

int main() {
  std::vector<float> values;
  for (int i = 0; i < samples * sensors; ++i) {
    values.push_back(float(int(unsigned(i) * 2654435761u >> 12) % 5000 - 900));
  }
  const measure::device_array<float> in(values), out(3 * sensors);
  const cudaError_t e = gpuprim::launch(find_quartiles, sensors, block_size, nullptr, in.data(), out.data());
  if (e != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  const std::vector<float> got = out.on_host();
  bool right = parts_by_hundred();
  for (int s = 0; s < sensors; ++s) {
    const auto first = values.begin() + s * samples;
    std::sort(first, first + samples);
    for (int q = 0; q < 3; ++q) right &= got[std::size_t(3 * s + q)] == first[samples / 4 * (q + 1)];
  }
  std::printf("%d medians, the first %g: %s\n", sensors, double(got[1]), right ? "right" : "wrong");
  return right ? 0 : 1;
}
