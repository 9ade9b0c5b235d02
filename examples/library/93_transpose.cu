// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpositions with the library: apart, of a part of a larger matrix, and in place.
//   93_transpose [ROWS]
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  const int rows = measure::size_to_run(count, arguments, 203), columns = rows - rows / 4, part = rows / 2;
  const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows);
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = float(i % 65521);
  const measure::device_array<float> matrix(values), square(values), turned(size), corner(size);

  // [calls]
  // Rows x columns elements, whose rows follow each other.
  cudaError_t error = gpuprim::transpose(matrix.data(), rows, columns, turned.data());
  // The upper left part of a matrix whose rows are `rows` elements apart; rows of the result follow each other.
  if (error == cudaSuccess) {
    const gpuprim::row_strides strides{.in = rows, .out = part};
    error = gpuprim::transpose(matrix.data(), part, part, corner.data(), strides);
  }
  if (error == cudaSuccess) error = gpuprim::transpose(square.data(), rows, rows, square.data());  // in place
  // [calls]
  measure::check(error);
  const auto got = turned.on_host(), got_corner = corner.on_host(), got_square = square.on_host();
  bool right = true;
  const auto at = [](int row, int column, int stride) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(stride) + static_cast<std::size_t>(column);
  };
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < rows; ++column) {
      if (column < columns) right &= got[at(column, row, rows)] == values[at(row, column, columns)];
      if (row < part && column < part) right &= got_corner[at(column, row, part)] == values[at(row, column, rows)];
      right &= got_square[at(column, row, rows)] == values[at(row, column, rows)];
    }
  }
  std::printf("%d x %d: %s\n", rows, columns, right ? "right" : "wrong");
  return right ? 0 : 1;
}
