// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compressed sparse rows: the rows of a graph, of different lengths, one after the other in one array. Each row counts
// its elements; the exclusive scan of the counts says where each row begins, and the total how much memory all of them
// need; then each row fills its part without regard to the others. The graph here is a grid of cells with `width`
// cells a line, each of them joined to those beside, above and below it.
#include <gpuprim/scan.cuh>

#include <gpuprim/launch/launch.cuh>

#include "../measure.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int width = 100;

/// Finds the neighbours of a cell in ascending order, and returns how many there are.
__device__ int find_neighbours(int cell, int cells, int (&found)[4]) {
  int count = 0;
  if (cell >= width) found[count++] = cell - width;
  if (cell % width > 0) found[count++] = cell - 1;
  if (cell % width < width - 1 && cell < cells - 1) found[count++] = cell + 1;
  if (cell < cells - width) found[count++] = cell + width;
  return count;
}

// [rows]
__global__ void count_rows(int cells, int* counts) {
  const int cell = int(blockIdx.x * blockDim.x + threadIdx.x);
  int found[4];
  if (cell < cells) counts[cell] = find_neighbours(cell, cells, found);
}

__global__ void fill_rows(int cells, const std::int64_t* offsets, int* columns) {
  const int cell = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (cell >= cells) return;
  int found[4];
  const int count = find_neighbours(cell, cells, found);
  for (int i = 0; i < count; ++i) columns[offsets[cell] + i] = found[i];
}
// [rows]

int main(int count, char** arguments) {
  using measure::check;
  const int cells = measure::size_to_run(count, arguments, 50000), block_size = 256;
  const int grid_size = (cells - 1) / block_size + 1;
  const measure::device_array<int> counts(cells);
  const measure::device_array<std::int64_t> row_offsets(std::size_t(cells) + 1);
  std::int64_t* const offsets = row_offsets.data();

  // [offsets]
  check(gpuprim::launch(count_rows, grid_size, block_size, nullptr, cells, counts.data()));
  // The counts are joined in 64 bits, which hold their sum whatever the graph. The total is the offset behind the last
  // row, so that row i is from offsets[i] to offsets[i + 1].
  check(gpuprim::exclusive_scan<std::int64_t>(counts.data(), cells, gpuprim::with_total(offsets, offsets + cells),
                                              gpuprim::plus{}));
  std::int64_t total = 0;
  check(cudaMemcpy(&total, offsets + cells, sizeof total, cudaMemcpyDeviceToHost));
  const measure::device_array<int> columns(total);
  check(gpuprim::launch(fill_rows, grid_size, block_size, nullptr, cells, offsets, columns.data()));
  // [offsets]

  std::vector<std::int64_t> want_offsets = {0};
  std::vector<int> want_columns;
  for (int cell = 0; cell < cells; ++cell) {
    for (const int other : {cell - width, cell - 1, cell + 1, cell + width}) {
      const bool is_near = other / width == cell / width || other % width == cell % width;
      if (0 <= other && other < cells && is_near) want_columns.push_back(other);
    }
    want_offsets.push_back(std::int64_t(want_columns.size()));
  }
  const bool right = row_offsets.on_host() == want_offsets && columns.on_host() == want_columns;
  std::printf("%d cells have %lld neighbours in all: %s\n", cells, static_cast<long long>(total),
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
