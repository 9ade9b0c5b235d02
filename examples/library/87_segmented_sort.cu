// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments: the rows of a matrix, the order of each row's numbers, the greatest number of each row and its
// column; and the rows of a sparse matrix, each with the columns of its values, from the greatest value to the least.
#include <gpuprim/segmented_reduce.cuh>
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
  const measure::device_array<float> sorted_rows(numbers.size()), greatest(static_cast<std::size_t>(rows));
  const measure::device_array<int> order_of_rows(numbers.size()), columns_of_greatest(static_cast<std::size_t>(rows));
  float *const in = matrix.data(), *const sorted = sorted_rows.data();
  int *const order = order_of_rows.data(), *const column = columns_of_greatest.data();
  const gpuprim::fixed_length row_of{columns};

  // [argsort]
  // The columns of each row's numbers in the order of the numbers: an argsort of the rows.
  cudaError_t e = gpuprim::segmented_sort_pairs(in, gpuprim::positions_in_segment<int>{}, row_of, rows, sorted, order);
  // [argsort]
  // [argmax]
  if (e == cudaSuccess) e = gpuprim::segmented_max_element(in, row_of, rows, greatest.data(), column);
  // [argmax]
  // [calls]
  // In place: the rows of a matrix have one length.
  if (e == cudaSuccess) e = gpuprim::segmented_sort(in, gpuprim::fixed_length{columns}, rows, in);
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

  std::vector<int> host_order, host_columns;
  for (int row = 0; row < rows; ++row) {
    const float* const own = numbers.data() + row * columns;
    std::vector<int> of_row;
    for (int i = 0; i < columns; ++i) of_row.push_back(i);
    std::stable_sort(of_row.begin(), of_row.end(), [own](int a, int b) { return own[a] < own[b]; });
    host_order.insert(host_order.end(), of_row.begin(), of_row.end());
    host_columns.push_back(int(std::max_element(own, own + columns) - own));
  }
  for (int row = 0; row < rows; ++row) {
    std::sort(numbers.begin() + row * columns, numbers.begin() + (row + 1) * columns);
    std::stable_sort(places.begin() + starts[std::size_t(row)], places.begin() + starts[std::size_t(row) + 1],
                     [own = values.data() + starts[std::size_t(row)]](int a, int b) { return own[a] > own[b]; });
  }
  const bool right = matrix.on_host() == numbers && of_values.on_host() == places && sorted_rows.on_host() == numbers &&
                     order_of_rows.on_host() == host_order && columns_of_greatest.on_host() == host_columns;
  std::printf("%d rows of %d numbers, %d rows with %d values: %s\n", rows, columns, rows, elements,
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
