// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B in three steps: every operand from global memory, the tile of A shared, the tiles of both shared. A block
// computes one tile of C and walks along K a tile at a time; what lies beyond a matrix counts as zero.
// Source: the shared-memory chapter of NVIDIA's "CUDA C++ Best Practices Guide", for any size and with block barriers.
#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <vector>

constexpr int tile = 16;

struct matrices {  // A is m x k, B is k x n, C is m x n, all by rows
  const float *a, *b;
  float* c;
  int m, n, k;
  __device__ float a_at(int row, int i) const { return row < m && i < k ? a[row * k + i] : 0.0f; }
  __device__ float b_at(int i, int column) const { return i < k && column < n ? b[i * n + column] : 0.0f; }
};

// [kernels]
__global__ void product_naive(matrices x) {
  const int row = int(blockIdx.y) * tile + int(threadIdx.y), column = int(blockIdx.x) * tile + int(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < x.k; ++i) sum += x.a_at(row, i) * x.b_at(i, column);
  if (row < x.m && column < x.n) x.c[row * x.n + column] = sum;
}

__global__ void product_a_shared(matrices x) {
  GPUPRIM_SHARED(a, float[tile][tile]);
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * tile + ty, column = int(blockIdx.x) * tile + tx;
  float sum = 0;
  for (int first = 0; first < x.k; first += tile) {
    a[ty][tx] = x.a_at(row, first + tx);
    __syncthreads();  // the tile is whole
    for (int i = 0; i < tile; ++i) sum += a[ty][i] * x.b_at(first + i, column);
    __syncthreads();  // nobody reads it any more
  }
  if (row < x.m && column < x.n) x.c[row * x.n + column] = sum;
}

__global__ void product_both_shared(matrices x) {
  GPUPRIM_SHARED(a, float[tile][tile]);
  GPUPRIM_SHARED(b, float[tile][tile]);
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * tile + ty, column = int(blockIdx.x) * tile + tx;
  float sum = 0;
  for (int first = 0; first < x.k; first += tile) {
    a[ty][tx] = x.a_at(row, first + tx);
    b[ty][tx] = x.b_at(first + ty, column);
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += a[ty][i] * b[i][tx];
    __syncthreads();
  }
  if (row < x.m && column < x.n) x.c[row * x.n + column] = sum;
}
// [kernels]

int main() {
  constexpr int m = 75, n = 37, k = 53;
  std::vector<float> a(m * k), b(k * n), want(m * n, 0.0f), got(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = float(i * 37 % 101 - 50);  // small integers: every sum is exact
  for (int i = 0; i < k * n; ++i) b[i] = float(i * 53 % 89 - 44);
  for (int row = 0; row < m; ++row) {
    for (int i = 0; i < k; ++i) {
      for (int column = 0; column < n; ++column) want[row * n + column] += a[row * k + i] * b[i * n + column];
    }
  }
  float *device_a = nullptr, *device_b = nullptr, *c = nullptr;
  cudaError_t e = cudaMalloc(&device_a, sizeof(float) * m * k);
  if (e == cudaSuccess) e = cudaMalloc(&device_b, sizeof(float) * k * n);
  if (e == cudaSuccess) e = cudaMalloc(&c, sizeof(float) * m * n);
  if (e == cudaSuccess) e = cudaMemcpy(device_a, a.data(), sizeof(float) * m * k, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(device_b, b.data(), sizeof(float) * k * n, cudaMemcpyHostToDevice);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((n + tile - 1) / tile, (m + tile - 1) / tile);
  config.blockDim = dim3(tile, tile);
  bool right = true;
  for (auto kernel : {product_naive, product_a_shared, product_both_shared}) {
    if (e == cudaSuccess) e = cudaMemset(c, 0xff, sizeof(float) * m * n);
    if (e == cudaSuccess) e = cudaLaunchKernelEx(&config, kernel, matrices{device_a, device_b, c, m, n, k});
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), c, sizeof(float) * m * n, cudaMemcpyDeviceToHost);
    right &= e == cudaSuccess && got == want;
  }
  (void)cudaFree(device_a);
  (void)cudaFree(device_b);
  (void)cudaFree(c);
  std::printf("three products of %d x %d by %d x %d: %s (%s)\n", m, k, k, n, right ? "right" : "WRONG",
              cudaGetErrorString(e));
  return right ? 0 : 1;
}
