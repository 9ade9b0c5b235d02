// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy with a stride and a random gather, and how much of what the memory moves for them is used: it moves sectors of
// 32 bytes, however few bytes of one a warp wants. The sectors are counted on the host.
//   21_stride_gather [N]
// Source: the memory chapter of NVIDIA's "CUDA C++ Best Practices Guide".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

#include <cstdint>
#include <random>

// [kernels]
__global__ void stride_copy(const float* in, int stride, int n, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[std::int64_t(i) * stride];
}

__global__ void gather(const float* in, const int* index, int n, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[index[i]];
}
// [kernels]

/// Bytes wanted over bytes of the sectors that they lie in, warp by warp: that a cache keeps a sector is not counted.
double useful_share(const std::vector<int>& index) {
  std::size_t sectors = 0;
  for (std::size_t first = 0; first < index.size(); first += 32) {
    std::vector<int> touched;
    for (std::size_t i = first; i < std::min(first + 32, index.size()); ++i) touched.push_back(index[i] / 8);
    std::sort(touched.begin(), touched.end());
    sectors += std::size_t(std::unique(touched.begin(), touched.end()) - touched.begin());
  }
  return double(index.size()) * sizeof(float) / (double(sectors) * 32);
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 6005, 1 << 25), largest = 33, size = n * largest;
  const int block_size = 256, blocks = (n + block_size - 1) / block_size;
  std::vector<float> values(std::size_t(size), 0.0f), want(std::size_t(n), 0.0f);
  for (int i = 0; i < size; ++i) values[i] = float(i % 16777213);
  const measure::device_array<float> in(values), out(want.size());
  const measure::device_array<int> device_index(want.size());
  measure::event_timer timer;
  bool right = true;
  const auto check = [&](const char* name, int stride, const std::vector<int>& index, double us) {
    for (int i = 0; i < n; ++i) want[i] = values[index[i]];
    const bool same = out.on_host() == want;
    std::printf("%s %d: %.1f %% of the bytes moved are used, %s: %s\n", name, stride,
                100 * useful_share(index), measure::rate(8.0 * n, us).c_str(), same ? "right" : "WRONG");
    right &= same;
  };
  std::vector<int> index(want.size());
  for (int stride : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, largest}) {
    for (int i = 0; i < n; ++i) index[i] = i * stride;
    out.poison();
    const double us = timer.us([&](int) {
      return gpuprim::launch(stride_copy, blocks, block_size, nullptr, in.data(), stride, n, out.data());
    });
    check("stride", stride, index, us);
    right &= stride < 8 || useful_share(index) == 0.125;  // every element in a sector of its own
  }
  std::mt19937 random(1);
  for (int range : {n, size}) {  // the more there is to choose from, the fewer neighbours share a sector
    for (int& i : index) i = int(random() % unsigned(range));
    measure::check(cudaMemcpy(device_index.data(), index.data(), index.size() * sizeof(int), cudaMemcpyHostToDevice));
    out.poison();
    const double us = timer.us([&](int) {
      return gpuprim::launch(gather, blocks, block_size, nullptr, in.data(), device_index.data(), n, out.data());
    });
    check("gather from", range, index, us);
  }
  return right ? 0 : 1;
}
