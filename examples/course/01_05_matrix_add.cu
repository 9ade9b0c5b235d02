// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding vectors on a one-dimensional grid and matrices on a two-dimensional one, each thread one element. Good as the
// first kernel: the index, the guard for the ragged edge, and x along the rows so that a warp reads neighbours.
// Source: Cheng, Grossman and McKercher, "Professional CUDA C Programming".
#include "course.hpp"

using namespace course;

// [vector]
__global__ void add_vectors(const float* a, const float* b, float* sum, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) sum[i] = a[i] + b[i];
}
// [vector]

// [matrix]
__global__ void add_matrices(const float* a, const float* b, float* sum, int height, int width) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
  const std::int64_t i = std::int64_t(y) * width + x;  // 64 bits: a matrix may have more elements than an int counts
  if (x < width && y < height) sum[i] = a[i] + b[i];
}
// [matrix]

int main() {
  constexpr int height = 67, width = 151, n = height * width;
  std::vector<float> a(n), b(n), want(n);
  for (int i = 0; i < n; ++i) {
    a[i] = float(i) / 3.0f;
    b[i] = float(n - i) * 0.7f;
    want[i] = a[i] + b[i];  // one rounding, the same on both sides
  }
  const device_array<float> device_a(a), device_b(b), sum(n);
  sum.poison();  // what no thread writes is then seen to be wrong
  add_vectors<<<blocks_for(n, 128), 128>>>(device_a.data(), device_b.data(), sum.data(), n);
  check(cudaGetLastError());
  const bool vector_right = sum.on_host() == want;

  sum.poison();
  // [launch]
  const dim3 block(32, 4), grid(unsigned(blocks_for(width, 32)), unsigned(blocks_for(height, 4)));
  add_matrices<<<grid, block>>>(device_a.data(), device_b.data(), sum.data(), height, width);
  // [launch]
  check(cudaGetLastError());
  const bool matrix_right = sum.on_host() == want;

  std::printf("vectors of %d: %s\n", n, vector_right ? "right" : "WRONG");
  std::printf("matrices of %d x %d, %u x %u blocks of 32 x 4 threads: %s\n", height, width, grid.x, grid.y,
              matrix_right ? "right" : "WRONG");
  return vector_right && matrix_right ? 0 : 1;
}
