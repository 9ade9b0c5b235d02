// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy with a stride and a random gather, and how much of what the memory moves for them is used: it moves sectors of
// 32 bytes, however few bytes of one a warp wants. The sectors are counted on the host.
// Source: the memory chapter of NVIDIA's "CUDA C++ Best Practices Guide".
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

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

int main() {
  constexpr int n = 6005, largest = 33, size = n * largest;
  constexpr int block_size = 224, blocks = (n + block_size - 1) / block_size;
  std::vector<float> values(size), got(n), want(n);
  std::iota(values.begin(), values.end(), 0.0f);
  float *in = nullptr, *out = nullptr;
  int* device_index = nullptr;
  cudaError_t e = cudaMalloc(&in, size * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&out, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&device_index, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), size * sizeof(float), cudaMemcpyHostToDevice);
  bool right = true;
  const auto check = [&](const char* name, int stride, const std::vector<int>& index) {
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) want[i] = values[index[i]];
    const bool same = e == cudaSuccess && got == want;
    std::printf("%s %d: %.1f %% of the bytes moved are used: %s (%s)\n", name, stride, 100 * useful_share(index),
                same ? "right" : "WRONG", cudaGetErrorString(e));
    right &= same;
  };
  std::vector<int> index(n);
  for (int stride : {1, 2, 3, 5, 8, largest}) {
    for (int i = 0; i < n; ++i) index[i] = i * stride;
    if (e == cudaSuccess) e = cudaMemset(out, 0xff, n * sizeof(float));
    if (e == cudaSuccess) e = gpuprim::launch(stride_copy, blocks, block_size, nullptr, in, stride, n, out);
    check("stride", stride, index);
    right &= stride < 8 || useful_share(index) == 0.125;  // every element in a sector of its own
  }
  std::mt19937 random(1);
  for (int range : {n, size}) {  // the more there is to choose from, the fewer neighbours share a sector
    for (int& i : index) i = int(random() % unsigned(range));
    if (e == cudaSuccess) e = cudaMemcpy(device_index, index.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    if (e == cudaSuccess) e = cudaMemset(out, 0xff, n * sizeof(float));
    if (e == cudaSuccess) e = gpuprim::launch(gather, blocks, block_size, nullptr, in, device_index, n, out);
    check("gather from", range, index);
  }
  (void)cudaFree(in);
  (void)cudaFree(out);
  (void)cudaFree(device_index);
  return right ? 0 : 1;
}
