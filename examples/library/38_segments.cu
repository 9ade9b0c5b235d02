// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many reduces in one call: segments by offsets, rows and columns of a matrix, windows that overlap.
#include <gpuprim/segmented_reduce.cuh>

#include "../measure.hpp"

int main() {
  constexpr int rows = 300, columns = 50, n = rows * columns, windows = 40, width = 500;
  std::vector<int> values, offsets{0}, begins, ends;
  for (int i = 0; i < n; ++i) values.push_back(i * 7919 % 1000);
  for (int k = 0; offsets.back() < n; ++k) {  // segments of 0, 1, 4, 9, ... values
    offsets.push_back(offsets.back() + k * k < n ? offsets.back() + k * k : n);
  }
  for (int k = 0; k < windows; ++k) {
    begins.push_back(k * (n - width) / windows);
    ends.push_back(begins.back() + width);
  }
  const int segments = int(offsets.size()) - 1;
  const measure::device_array<int> array(values), device_offsets(offsets), device_begins(begins), device_ends(ends);
  const measure::device_array<int> results(std::size_t(segments + rows + columns + windows));
  const int *in = array.data(), *where = device_offsets.data();
  const int *from = device_begins.data(), *to = device_ends.data();
  int *out = results.data(), *row_out = out + segments, *column_out = row_out + rows;
  int* window_out = column_out + columns;
  cudaError_t e = cudaSuccess;
  // [calls]
  const gpuprim::plus<> plus;
  const gpuprim::maximum<> maximum;
  const gpuprim::segment_bounds bounds{from, to};
  if (e == cudaSuccess) e = gpuprim::segmented_reduce(in, where, segments, out, plus, 0);
  if (e == cudaSuccess) e = gpuprim::segmented_reduce(in, gpuprim::fixed_length{columns}, rows, row_out, plus, 0);
  if (e == cudaSuccess) e = gpuprim::column_reduce(in, rows, columns, column_out, maximum);
  if (e == cudaSuccess) e = gpuprim::segmented_reduce(in, bounds, windows, window_out, maximum);
  // [calls]

  const std::vector<int> got = results.on_host();
  int wrong = 0;
  const auto check = [&](int at, int first, int last, int step, bool adds) {
    int want = adds ? 0 : values[std::size_t(first)];
    for (int i = first; i < last; i += step) {
      const int v = values[std::size_t(i)];
      want = adds ? want + v : std::max(want, v);
    }
    wrong += got[std::size_t(at)] != want;
  };
  for (int k = 0; k < segments; ++k) check(k, offsets[std::size_t(k)], offsets[std::size_t(k) + 1], 1, true);
  for (int r = 0; r < rows; ++r) check(segments + r, r * columns, (r + 1) * columns, 1, true);
  for (int c = 0; c < columns; ++c) check(segments + rows + c, c, n, columns, false);
  for (int k = 0; k < windows; ++k) {
    check(segments + rows + columns + k, begins[std::size_t(k)], ends[std::size_t(k)], 1, false);
  }
  std::printf("%d segments, %d rows, %d columns, %d windows: %d wrong (%s)\n", segments, rows, columns, windows, wrong,
              cudaGetErrorString(e));
  return e == cudaSuccess && wrong == 0 ? 0 : 1;
}
