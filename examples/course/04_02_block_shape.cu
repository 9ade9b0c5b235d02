// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of two matrices by blocks of several shapes. Where threadIdx.x runs along a row, a warp touches neighbouring
// addresses (coalesced, if the block is wide enough); where it runs down a column, addresses a row apart. The results
// are the same, the memory traffic is not. Shapes of 64 to 1024 threads: how many blocks fit, and so the theoretical
// occupancy, depends on the number of threads and not on the shape. The achieved occupancy may be far lower where
// blocks are small, because the GPU starts only so many in a time: scripts/profile.sh reads it for each shape, with
// the efficiency and the throughput of the loads.
//   04_02_block_shape [COLUMNS [X Y]]   all shapes, or the one of X x Y threads
// Source: the execution-model chapter of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "../measure.hpp"

// [kernels]
__global__ void add_along_rows(const float* a, const float* b, float* c, int rows, int columns) {
  const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < rows && column < columns) c[row * columns + column] = a[row * columns + column] + b[row * columns + column];
}

__global__ void add_down_columns(const float* a, const float* b, float* c, int rows, int columns) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int column = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < rows && column < columns) c[row * columns + column] = a[row * columns + column] + b[row * columns + column];
}
// [kernels]

/// 32-byte sectors that the first warp touches in one matrix; neighbours lie `x_step` and `y_step` floats apart.
int sectors(dim3 block, int x_step, int y_step) {
  std::vector<int> touched;
  for (unsigned rank = 0; rank < std::min(32u, block.x * block.y); ++rank) {
    touched.push_back((int(rank % block.x) * x_step + int(rank / block.x) * y_step) / 8);
  }
  std::sort(touched.begin(), touched.end());
  return int(std::unique(touched.begin(), touched.end()) - touched.begin());
}

using kernel = void (*)(const float*, const float*, float*, int, int);

struct matrices {
  const float *a, *b;
  float* c;
  int rows, columns;
};

cudaError_t run(kernel add, dim3 block, int x_size, int y_size, const matrices& m) {
  cudaLaunchConfig_t config{};
  config.blockDim = block;
  config.gridDim = dim3((unsigned(x_size) + block.x - 1) / block.x, (unsigned(y_size) + block.y - 1) / block.y);
  return cudaLaunchKernelEx(&config, add, m.a, m.b, m.c, m.rows, m.columns);
}

int main(int count, char** arguments) {
  const int columns = measure::size_to_run(count, arguments, measure::usual_size(203, 8192), 30000);
  const int rows = columns - columns / 5, n = rows * columns;
  std::vector<float> a(static_cast<std::size_t>(n)), b(a.size()), want(a.size());
  for (int i = 0; i < n; ++i) {
    a[i] = float(i % 1009);
    b[i] = float(i % 503) / 4;
    want[i] = a[i] + b[i];
  }
  const measure::device_array<float> device_a(a), device_b(b), c(a.size());
  const matrices m{device_a.data(), device_b.data(), c.data(), rows, columns};
  measure::event_timer timer;
  int device = 0, most_threads = 0, fit = 0;
  measure::check(cudaGetDevice(&device));
  measure::check(cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  bool right = true;
  std::vector<dim3> shapes = {{32, 2}, {128, 1}, {1, 128}, {33, 5},   {64, 4},  {32, 8}, {16, 16},
                              {8, 32}, {512, 1}, {32, 16}, {1024, 1}, {32, 32}, {16, 64}};
  if (count > 3) {
    const int x = measure::size_to_run(count - 1, arguments + 1, 32, 1024);
    shapes = {dim3(unsigned(x), unsigned(measure::size_to_run(count - 2, arguments + 2, 8, 1024 / x)))};
  }
  for (dim3 block : shapes) {
    const int threads = int(block.x * block.y);
    measure::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, add_along_rows, threads, 0));
    const int of_whole_warps = (threads + 31) / 32 * 32;  // a warp takes the room of 32 threads, also if it has fewer
    std::printf("%d threads: %d blocks fit, theoretical occupancy %.1f %%\n", threads, fit,
                100.0 * fit * of_whole_warps / most_threads);
    right &= fit > 0 && fit * of_whole_warps <= most_threads;
    for (bool along_rows : {true, false}) {
      c.poison();
      const double us = timer.us([&](int) {
        return along_rows ? run(add_along_rows, block, columns, rows, m)
                          : run(add_down_columns, block, rows, columns, m);
      });
      const bool same = c.on_host() == want;
      std::printf("block %u x %u, %s: the first warp touches %d sectors in each matrix, %s: %s\n", block.x, block.y,
                  along_rows ? "x along a row" : "x down a column",
                  along_rows ? sectors(block, 1, columns) : sectors(block, columns, 1),
                  measure::rate(12.0 * n, us).c_str(), same ? "right" : "WRONG");
      right &= same;
    }
  }
  std::printf("%s\n", right ? "all equal" : "WRONG");
  return right ? 0 : 1;
}
