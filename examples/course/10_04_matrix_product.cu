// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C in three steps: every operand from global memory, the tile of A shared, both tiles shared. A
// block computes one tile of C and walks along K a tile at a time; what lies beyond a matrix counts as zero. With beta
// = 0, C is not read, as in BLAS: what was in it may be no number. The times are of alpha = 1 and beta = 0.
//   10_04_matrix_product [ROWS]
// Source: the shared-memory chapter of NVIDIA's "CUDA C++ Best Practices Guide", for any size and with block barriers.
#include "../measure.hpp"

#include <gpuprim/core/shared.cuh>

constexpr int tile = 16;

struct matrices {  // A is m x k, B is k x n, C is m x n, all by rows
  const float *a, *b;
  float* c;
  int m, n, k;
  float alpha, beta;
  __device__ float a_at(int row, int i) const { return row < m && i < k ? a[row * k + i] : 0.0f; }
  __device__ float b_at(int i, int column) const { return i < k && column < n ? b[i * n + column] : 0.0f; }
  __device__ void store(int row, int column, float sum) const {
    if (row >= m || column >= n) return;
    c[row * n + column] = beta == 0 ? alpha * sum : alpha * sum + beta * c[row * n + column];
  }
};

// [kernels]
__global__ void product_naive(matrices x) {
  const int row = int(blockIdx.y) * tile + int(threadIdx.y), column = int(blockIdx.x) * tile + int(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < x.k; ++i) sum += x.a_at(row, i) * x.b_at(i, column);
  x.store(row, column, sum);
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
  x.store(row, column, sum);
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
  x.store(row, column, sum);
}
// [kernels]

int main(int count, char** arguments) {
  const int m = measure::size_to_run(count, arguments, measure::usual_size(75, 1024), 10000), n = m / 2, k = m - m / 3;
  std::vector<float> a(std::size_t(m) * k), b(std::size_t(k) * n), want(std::size_t(m) * n, 0.0f);
  for (int i = 0; i < m * k; ++i) a[i] = float(i * 37 % 101 - 50);  // small integers: every sum is exact
  for (int i = 0; i < k * n; ++i) b[i] = float(i * 53 % 89 - 44);
  for (int row = 0; row < m; ++row) {
    for (int i = 0; i < k; ++i) {
      for (int column = 0; column < n; ++column) want[row * n + column] += a[row * k + i] * b[i * n + column];
    }
  }
  const measure::device_array<float> device_a(a), device_b(b), c(want.size());
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((n + tile - 1) / tile, (m + tile - 1) / tile);
  config.blockDim = dim3(tile, tile);
  const matrices x{device_a.data(), device_b.data(), c.data(), m, n, k, 1, 0};
  struct {
    const char* name;
    void (*kernel)(matrices);
  } const forms[] = {{"naive", product_naive}, {"A shared", product_a_shared}, {"both shared", product_both_shared}};
  measure::event_timer timer;
  bool right = true;
  for (const auto& form : forms) {
    c.poison();
    const double us = timer.us([&](int) { return cudaLaunchKernelEx(&config, form.kernel, x); });
    bool same = c.on_host() == want;
    matrices twice = x;  // 3 A B - C, where C is A B already
    twice.alpha = 3, twice.beta = -1;
    measure::check(cudaLaunchKernelEx(&config, form.kernel, twice));
    const std::vector<float> got = c.on_host();
    for (std::size_t i = 0; i < got.size(); ++i) same &= got[i] == 2 * want[i];
    std::printf("%d x %d by %d x %d, %s: %s: %s\n", m, k, k, n, form.name,
                measure::figure(2e-3 * m * n * k / us, "GFLOP/s").c_str(), same ? "right" : "WRONG");
    right &= same;
  }
  return right ? 0 : 1;
}
