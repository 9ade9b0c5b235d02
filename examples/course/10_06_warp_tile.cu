// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile that only the warp which filled it reads: in a product C = A B of blocks of 32 x 32 threads a warp is a row of
// the block, and reads nothing but its own row of the tile of A. Then __syncwarp(), which waits for the lanes of the
// warp, does what __syncthreads() does, and no warp waits for another one. With rows of 16 a warp has two of them.
// Source: the shared-memory chapter of NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int tile = 32;  // rows and columns of C are multiples of it here, to keep to the idea

enum class wait { block, warp };

// [kernel]
template <wait For>
__device__ void wait_for_tile() {
  if constexpr (For == wait::warp) __syncwarp();
  else __syncthreads();
}

template <wait For>
__global__ void product_a_shared(const float* a, const float* b, int k, int columns, float* c) {
  __shared__ float rows[tile][tile];
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * tile + ty, column = int(blockIdx.x) * tile + tx;
  float sum = 0;
  for (int first = 0; first < k; first += tile) {
    rows[ty][tx] = a[row * k + first + tx];
    wait_for_tile<For>();  // the row is whole
    for (int i = 0; i < tile; ++i) sum += rows[ty][i] * b[(first + i) * columns + column];
    wait_for_tile<For>();  // nobody reads it any more
  }
  c[row * columns + column] = sum;
}
// [kernel]

int main(int count, char** arguments) {
  const int m = tile * size_to_run(count, arguments, usual_size(2, 32), 256), k = m, columns = 2 * m;
  std::vector<float> a(std::size_t(m) * k), b(std::size_t(k) * columns), want(std::size_t(m) * columns, 0.0f);
  for (int i = 0; i < m * k; ++i) a[i] = float(i * 37 % 101 - 50);  // small integers: every sum is exact
  for (int i = 0; i < k * columns; ++i) b[i] = float(i * 53 % 89 - 44);
  for (int row = 0; row < m; ++row) {
    for (int i = 0; i < k; ++i) {
      for (int x = 0; x < columns; ++x) want[row * columns + x] += a[row * k + i] * b[i * columns + x];
    }
  }
  const device_array<float> device_a(a), device_b(b), c(want.size());
  const dim3 grid(columns / tile, m / tile), block(tile, tile);
  bool right = true;
  for (auto kernel : {product_a_shared<wait::block>, product_a_shared<wait::warp>}) {
    c.poison();
    const double us = time_us([&] { kernel<<<grid, block>>>(device_a.data(), device_b.data(), k, columns, c.data()); });
    const bool same = c.on_host() == want;
    std::printf("%s: %s%s\n", kernel == product_a_shared<wait::warp> ? "__syncwarp()" : "__syncthreads()",
                figure(2e-3 * m * columns * k / us, "GFLOP/s").c_str(), same ? "" : ": WRONG");
    right &= same;
  }
  return verdict(right);
}
