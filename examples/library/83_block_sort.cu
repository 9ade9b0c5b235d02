// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block sorts a tile: each block finds the median and the quartiles of its own 1,000 samples.
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
  bool right = true;
  for (int s = 0; s < sensors; ++s) {
    const auto first = values.begin() + s * samples;
    std::sort(first, first + samples);
    for (int q = 0; q < 3; ++q) right &= got[std::size_t(3 * s + q)] == first[samples / 4 * (q + 1)];
  }
  std::printf("%d medians, the first %g: %s\n", sensors, double(got[1]), right ? "right" : "wrong");
  return right ? 0 : 1;
}
