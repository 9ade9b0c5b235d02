// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nonzero elements of a matrix: the row, the column and the value of each, in order, as `nonzero` and `argwhere` of
// NumPy and PyTorch find them; and the elements that a boolean mask chooses. How many there are stays on the device,
// where the passes behind the select read it, so that the host waits for nothing.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/select.cuh>
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

struct is_nonzero {
  __host__ __device__ bool operator()(float x) const { return x != 0; }
};

// [function]
using coordinates = gpuprim::tuple<int, int>;  // a row and a column, side by side

/// Those of a place in a matrix whose rows follow each other.
struct row_and_column {
  int columns;
  __host__ __device__ coordinates operator()(std::int64_t place) const {
    return {int(place / columns), int(place % columns)};
  }
};
// [function]

int main(int count, char** arguments) {
  using measure::check;
  constexpr int columns = 300;
  const int rows = measure::size_to_run(count, arguments, 200, 1 << 21), n = rows * columns;
  std::vector<float> elements;
  std::vector<unsigned char> flags;
  for (int i = 0; i < n; ++i) {
    const unsigned random = unsigned(i) * 2654435761u ^ unsigned(i) * 40503u >> 7;
    elements.push_back(random % 8 == 0 ? float(random >> 20) - 2048 : 0);
    flags.push_back(random >> 9 & 1);
  }
  const std::size_t size = elements.size();
  const measure::device_array<float> matrix(elements), nonzero_values(size), masked_values(size);
  const measure::device_array<unsigned char> mask(flags);
  const measure::device_array<int> place_array(size), row_array(size), column_array(size), counts(3);
  const measure::device_array<coordinates> pair_array(size);
  const float* const in = matrix.data();
  float *const values = nonzero_values.data(), *const masked = masked_values.data();
  int *const places = place_array.data(), *const row = row_array.data(), *const column = column_array.data();
  int* const how_many = counts.data();
  coordinates* const pairs = pair_array.data();

  // [calls]
  // The places of the nonzero elements, and of as many as there are the rows, the columns and the values.
  check(gpuprim::select_indices(in, n, places, how_many, is_nonzero{}));
  const gpuprim::element_count found{how_many, n};
  check(gpuprim::transform(places, found, gpuprim::outputs(row, column), row_and_column{columns}));
  check(gpuprim::gather(in, places, found, values));
  // [calls]
  // [pairs]
  // In one pass: the output makes a pair of each place that is written to it.
  const auto to_pairs = gpuprim::transform_to(pairs, row_and_column{columns});
  check(gpuprim::select_indices(in, n, to_pairs, how_many + 1, is_nonzero{}));
  // [pairs]
  // [mask]
  // A boolean mask: the elements whose flags are set.
  check(gpuprim::select_flagged(in, mask.data(), n, masked, how_many + 2));
  // [mask]

  std::vector<int> want_rows, want_columns;
  std::vector<coordinates> want_pairs;
  std::vector<float> want_values, want_masked;
  for (int i = 0; i < n; ++i) {
    const float x = elements[std::size_t(i)];
    if (flags[std::size_t(i)]) want_masked.push_back(x);
    if (x == 0) continue;
    want_rows.push_back(i / columns);
    want_columns.push_back(i % columns);
    want_pairs.push_back({i / columns, {i % columns}});
    want_values.push_back(x);
  }
  const int nonzero = int(want_values.size());
  const auto begins_with = [](const auto& all, const auto& first) {
    return std::equal(first.begin(), first.end(), all.begin());
  };
  const bool right = counts.on_host() == std::vector<int>{nonzero, nonzero, int(want_masked.size())} &&
                     begins_with(row_array.on_host(), want_rows) && begins_with(column_array.on_host(), want_columns) &&
                     begins_with(nonzero_values.on_host(), want_values) &&
                     begins_with(pair_array.on_host(), want_pairs) && begins_with(masked_values.on_host(), want_masked);
  std::printf("of %d x %d elements %d are not zero, and a mask chooses %d: %s\n", rows, columns, nonzero,
              int(want_masked.size()), right ? "right" : "wrong");
  return right ? 0 : 1;
}
