// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments: the rows of a matrix, and the rows of a sparse matrix, each with the columns of its values, from
// the greatest value to the least.
#include <gpuprim/sort.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 20000);
  const int columns = 50, rows = n / columns;
  std::vector<float> numbers, values;
  std::vector<int> places, starts{0};
  for (int i = 0; i < rows * columns; ++i) numbers.push_back(float(unsigned(i) * 2654435761u >> 20));
  for (int row = 0; row < rows; ++row) {  // most rows are short, some are long, and one is very long
    const int length = row == rows / 2 ? n / 2 : row % 100 == 0 ? 300 : row % 8;
    for (int i = 0; i < length; ++i) {
      places.push_back(i);
      values.push_back(float((unsigned(i) * 7919u + unsigned(row)) % 1000u));
    }
    starts.push_back(int(values.size()));
  }
  const measure::device_array<float> matrix(numbers), sparse(values);
  const measure::device_array<int> of_values(places), row_starts(starts);

  // [calls]
  // In place: the rows of a matrix have one length.
  cudaError_t e = gpuprim::segmented_sort(matrix.data(), gpuprim::fixed_length{columns}, rows, matrix.data());
  // Row i of the sparse matrix begins at offsets[i]. Equal values stay in the order of their columns.
  const int elements = starts.back(), *const offsets = row_starts.data();
  if (e == cudaSuccess) {
    e = gpuprim::segmented_sort_pairs(sparse.data(), of_values.data(), gpuprim::segment_offsets{offsets, elements},
                                      rows, sparse.data(), of_values.data(), gpuprim::descending);
  }
  // [calls]
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  for (int row = 0; row < rows; ++row) {
    std::sort(numbers.begin() + row * columns, numbers.begin() + (row + 1) * columns);
    std::stable_sort(places.begin() + starts[std::size_t(row)], places.begin() + starts[std::size_t(row) + 1],
                     [own = values.data() + starts[std::size_t(row)]](int a, int b) { return own[a] > own[b]; });
  }
  const bool right = matrix.on_host() == numbers && of_values.on_host() == places;
  std::printf("%d rows of %d numbers, %d rows with %d values: %s\n", rows, columns, rows, elements,
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
