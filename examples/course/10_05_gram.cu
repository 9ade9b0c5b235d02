// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A A^T: a warp that reads A^T directly strides through A. A tile that is stored transposed in shared memory makes
// the reads coalesced, but its columns lie in one bank each; rows one float longer spread them over all 32 banks.
//   10_05_gram [ROWS]
// Source: the shared-memory chapter of NVIDIA's "CUDA C++ Best Practices Guide", for any size.
#include "../measure.hpp"

#include <gpuprim/core/shared.cuh>

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

int main(int count, char** arguments) {
  const int m = measure::size_to_run(count, arguments, measure::usual_size(75, 1024), 10000), k = m - m * 2 / 5;
  std::vector<float> a(std::size_t(m) * k), want(std::size_t(m) * m, 0.0f);
  for (int i = 0; i < m * k; ++i) a[i] = float(i * 37 % 101 - 50);  // small integers: every sum is exact
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < m; ++column) {
      for (int i = 0; i < k; ++i) want[row * m + column] += a[row * k + i] * a[column * k + i];
    }
  }
  const measure::device_array<float> device_a(a), c(want.size());
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((m + tile - 1) / tile, (m + tile - 1) / tile);
  config.blockDim = dim3(tile, tile);
  const float* from = device_a.data();
  struct {
    const char* name;
    void (*kernel)(const float*, int, int, float*);
  } const forms[] = {{"naive", gram_naive}, {"transposed tile", gram_tiled<0>}, {"padded tile", gram_tiled<1>}};
  measure::event_timer timer;
  bool right = true;
  for (const auto& form : forms) {
    c.poison();
    const double us = timer.us([&](int) { return cudaLaunchKernelEx(&config, form.kernel, from, m, k, c.data()); });
    const bool same = c.on_host() == want;
    std::printf("a %d x %d matrix and its transpose, %s: %s: %s\n", m, k, form.name,
                measure::figure(2e-3 * m * m * k / us, "GFLOP/s").c_str(), same ? "right" : "WRONG");
    right &= same;
  }
  return right ? 0 : 1;
}
