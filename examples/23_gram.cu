// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A A^T: a warp that reads A^T directly strides through A. A tile that is stored transposed in shared memory makes
// the reads coalesced, but its columns lie in one bank each; rows one float longer spread them over all 32 banks.
// Source: the shared-memory chapter of NVIDIA's "CUDA C++ Best Practices Guide", for any size.
#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <vector>

constexpr int tile = 32;

// [kernels]
__global__ void gram_naive(const float* a, int m, int k, float* c) {
  const int row = int(blockIdx.y) * tile + int(threadIdx.y), column = int(blockIdx.x) * tile + int(threadIdx.x);
  if (row >= m || column >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * a[column * k + i];
  c[row * m + column] = sum;
}

template <int Padding>
__global__ void gram_tiled(const float* a, int m, int k, float* c) {
  GPUPRIM_SHARED(left, float[tile][tile]);
  GPUPRIM_SHARED(transposed, float[tile][tile + Padding]);
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * tile + ty, column = int(blockIdx.x) * tile + tx;
  const int loaded = int(blockIdx.x) * tile + ty;  // the row of A that this thread reads for the transposed tile
  float sum = 0;
  for (int first = 0; first < k; first += tile) {
    const int i = first + tx;
    left[ty][tx] = row < m && i < k ? a[row * k + i] : 0.0f;
    transposed[tx][ty] = loaded < m && i < k ? a[loaded * k + i] : 0.0f;  // a warp writes a column
    __syncthreads();
    for (int j = 0; j < tile; ++j) sum += left[ty][j] * transposed[j][tx];
    __syncthreads();
  }
  if (row < m && column < m) c[row * m + column] = sum;
}
// [kernels]

int main() {
  constexpr int m = 75, k = 45;
  std::vector<float> a(m * k), want(m * m, 0.0f), got(m * m);
  for (int i = 0; i < m * k; ++i) a[i] = float(i * 37 % 101 - 50);  // small integers: every sum is exact
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < m; ++column) {
      for (int i = 0; i < k; ++i) want[row * m + column] += a[row * k + i] * a[column * k + i];
    }
  }
  float *device_a = nullptr, *c = nullptr;
  cudaError_t e = cudaMalloc(&device_a, sizeof(float) * m * k);
  if (e == cudaSuccess) e = cudaMalloc(&c, sizeof(float) * m * m);
  if (e == cudaSuccess) e = cudaMemcpy(device_a, a.data(), sizeof(float) * m * k, cudaMemcpyHostToDevice);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((m + tile - 1) / tile, (m + tile - 1) / tile);
  config.blockDim = dim3(tile, tile);
  bool right = true;
  for (auto kernel : {gram_naive, gram_tiled<0>, gram_tiled<1>}) {
    if (e == cudaSuccess) e = cudaMemset(c, 0xff, sizeof(float) * m * m);
    if (e == cudaSuccess) e = cudaLaunchKernelEx(&config, kernel, static_cast<const float*>(device_a), m, k, c);
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), c, sizeof(float) * m * m, cudaMemcpyDeviceToHost);
    right &= e == cudaSuccess && got == want;
  }
  (void)cudaFree(device_a);
  (void)cudaFree(c);
  std::printf("three products of a %d x %d matrix and its transpose: %s (%s)\n", m, k, right ? "right" : "WRONG",
              cudaGetErrorString(e));
  return right ? 0 : 1;
}
