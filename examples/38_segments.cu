// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many reduces in one call: segments by offsets, rows and columns of a matrix, windows that overlap.
#include <gpuprim/segmented_reduce.cuh>

#include <cstdio>
#include <vector>

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
  std::vector<int> got(std::size_t(segments + rows + columns + windows));

  int *in = nullptr, *where = nullptr, *from = nullptr, *to = nullptr, *out = nullptr;
  cudaError_t e = cudaMalloc(&in, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&where, offsets.size() * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&from, windows * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&to, windows * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&out, got.size() * sizeof(int));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(where, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(from, begins.data(), windows * sizeof(int), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(to, ends.data(), windows * sizeof(int), cudaMemcpyHostToDevice);

  int *row_out = out + segments, *column_out = row_out + rows, *window_out = column_out + columns;
  // [calls]
  const gpuprim::plus<> plus;
  const gpuprim::maximum<> maximum;
  const gpuprim::segment_bounds bounds{from, to};
  if (e == cudaSuccess) e = gpuprim::segmented_reduce(in, where, segments, out, plus, 0);
  if (e == cudaSuccess) e = gpuprim::segmented_reduce(in, gpuprim::fixed_length{columns}, rows, row_out, plus, 0);
  if (e == cudaSuccess) e = gpuprim::column_reduce(in, rows, columns, column_out, maximum);
  if (e == cudaSuccess) e = gpuprim::segmented_reduce(in, bounds, windows, window_out, maximum);
  // [calls]
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int* p : {in, where, from, to, out}) (void)cudaFree(p);

  int wrong = 0;
  const auto check = [&](int at, int first, int last, int step, bool adds) {
    int want = adds ? 0 : values[std::size_t(first)];
    for (int i = first; i < last; i += step) {
      const int v = values[std::size_t(i)];
      want = adds ? want + v : want < v ? v : want;
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
