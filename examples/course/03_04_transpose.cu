// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes a matrix through shared memory: a warp reads a row of a tile and writes a row of the transposed one, so
// both are coalesced. The tile's rows are one float longer than need be: a column then lies in 32 different banks.
//   03_04_transpose [ROWS]
// Source: Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA".
#include "../measure.hpp"

#include <gpuprim/core/shared.cuh>

// [kernel]
constexpr int tile = 32, block_rows = 8;  // a thread moves four elements

__global__ void transpose(const float* in, int rows, int columns, float* out) {
  GPUPRIM_SHARED(stage, float[tile][tile + 1]);
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const int first_row = int(blockIdx.y) * tile, first_column = int(blockIdx.x) * tile;
  for (int j = ty; j < tile; j += block_rows) {
    const int row = first_row + j, column = first_column + tx;
    if (row < rows && column < columns) stage[j][tx] = in[row * columns + column];
  }
  __syncthreads();  // every thread comes here, also one that has nothing to move
  for (int j = ty; j < tile; j += block_rows) {
    const int row = first_row + tx, column = first_column + j;
    if (row < rows && column < columns) out[column * rows + row] = stage[tx][j];
  }
}
// [kernel]

bool check(int rows, int columns) {
  const std::size_t n = std::size_t(rows) * std::size_t(columns);
  std::vector<float> values(n), want(n);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      values[row * columns + column] = want[column * rows + row] = float(row * columns + column);
    }
  }
  const measure::device_array<float> in(values), out(n);
  out.poison();
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(columns + tile - 1) / tile, unsigned(rows + tile - 1) / tile);
  config.blockDim = dim3(tile, block_rows);
  const float* from = in.data();
  measure::event_timer timer;
  const double us =
      timer.us([&](int) { return cudaLaunchKernelEx(&config, transpose, from, rows, columns, out.data()); });
  const bool right = out.on_host() == want;
  std::printf("%d x %d: %s: %s\n", rows, columns, measure::rate(8.0 * double(n), us).c_str(),
              right ? "right" : "WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int rows = measure::size_to_run(count, arguments, measure::usual_size(203, 8192), 30000);
  return check(1, 1) && check(1, 77) && check(77, 131) && check(rows, rows - rows / 4) ? 0 : 1;
}
