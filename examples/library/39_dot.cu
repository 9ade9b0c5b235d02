// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dot products and squared norms of small types, summed in a type that is wide enough: on the device, to the host,
// fused with other reductions, and in a kernel of your own.
#include "../measure.hpp"

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/dot.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/transform_reduce.cuh>

#include <cooperative_groups.h>
#include <cuda_fp8.h>

#include <cstdint>

constexpr int block_size = 128;

// [kernel]
/// Row i of a matrix of 8-bit weights times a vector. Rows are a whole number of 16-byte loads.
__global__ void matrix_vector(const std::int8_t* matrix, const std::int8_t* vector, int columns, int* out) {
  const auto block = cooperative_groups::this_thread_block();
  const std::int8_t* row = matrix + std::int64_t(blockIdx.x) * columns;
  int mine = 0;
  for (int at = 16 * int(threadIdx.x); at < columns; at += 16 * block_size) {
    mine = gpuprim::thread_dot<std::int8_t>(gpuprim::load_packed(row + at), gpuprim::load_packed(vector + at), mine);
  }
  const int total = gpuprim::block_reduce<block_size>(block, mine, gpuprim::plus{});
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
// [kernel]

int main() {
  constexpr int rows = 5, columns = 4096, n = rows * columns;
  std::vector<std::int8_t> bytes;
  std::vector<__nv_fp8_e4m3> small;
  std::int64_t want = 0;
  std::vector<int> want_rows(rows, 0);
  double want_small = 0;
  for (int i = 0; i < n; ++i) {
    bytes.push_back(std::int8_t(i % 3 == 0 ? -128 : i * 77));
    small.push_back(__nv_fp8_e4m3(float(i % 13 - 6) / 2));
    want += std::int64_t(bytes.back()) * bytes.back();
    want_small += double(static_cast<float>(small.back())) * double(static_cast<float>(small.back()));
    want_rows[std::size_t(i / columns)] += bytes[std::size_t(i)] * bytes[std::size_t(i % columns)];
  }
  const measure::device_array<std::int8_t> matrix(bytes);
  const measure::device_array<__nv_fp8_e4m3> in(small);
  const measure::device_array<std::int64_t> out(1);
  const measure::device_array<int> products(rows);
  const std::int8_t* x = matrix.data();

  // [calls]
  measure::check(gpuprim::dot(x, x, n, out.data()));                         // 8-bit integers: summed in 64 bits
  const float sum = gpuprim::dot_value(in.data(), in.data(), n);             // 8-bit floats: in float
  const double exact = gpuprim::dot_value<double>(in.data(), in.data(), n);  // or as asked
  const auto [largest, squares] =
      gpuprim::reduce_into_value(x, n, gpuprim::fused(gpuprim::maximum{}, gpuprim::squared_norm));
  // [calls]
  measure::check(gpuprim::launch(matrix_vector, rows, block_size, nullptr, x, x, columns, products.data()));
  std::printf("8-bit integers %lld, squared norm %lld, want %lld; largest %d; 8-bit floats %.2f, want %.2f\n",
              static_cast<long long>(out.on_host()[0]), static_cast<long long>(squares), static_cast<long long>(want),
              int(largest), double(sum), want_small);
  return out.on_host()[0] == want && squares == want && largest == 127 && double(sum) == want_small &&
                 exact == want_small && products.on_host() == want_rows
             ? 0
             : 1;
}
