// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprim beside the usual means of nvcc: thrust::device_vector holds the arrays, and <<<>>> launches the kernels. The
// host SIMT device has neither, so that this program runs on a GPU only.
// GPU only: the host SIMT device has no Thrust.
#include <gpuprim/reduce.cuh>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstdio>

// [kernel]
constexpr int block_size = 256;

/// The sum of each row of a matrix, by one block a row.
__global__ void sum_rows(const int* matrix, int columns, int* sums) {
  const int* row = matrix + std::int64_t(blockIdx.x) * columns;
  int sum = 0;
  for (int i = int(threadIdx.x); i < columns; i += block_size) sum += row[i];
  sum = gpuprim::block_reduce<block_size>(gpuprim::this_block{}, sum, gpuprim::plus{});
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
// [kernel]

int main() {
  constexpr int rows = 100, columns = 3000;
  thrust::host_vector<int> values(rows * columns);
  for (int i = 0; i < rows * columns; ++i) values[i] = i * 37 % 1000;

  // [thrust]
  const thrust::device_vector<int> matrix = values;
  thrust::device_vector<int> sums(rows);
  sum_rows<<<rows, block_size>>>(thrust::raw_pointer_cast(matrix.data()), columns,
                                 thrust::raw_pointer_cast(sums.data()));
  if (const cudaError_t e = cudaGetLastError()) {  // <<<>>> returns nothing
    std::printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  // The iterators of a device_vector are taken as pointers are.
  const int largest = gpuprim::reduce_value(sums.begin(), rows, gpuprim::maximum{});
  // [thrust]

  int want = 0;
  for (int row = 0; row < rows; ++row) {
    int sum = 0;
    for (int i = 0; i < columns; ++i) sum += values[row * columns + i];
    want = sum > want ? sum : want;
  }
  std::printf("the largest sum of a row is %d: %s\n", largest, largest == want ? "right" : "WRONG");
  return largest == want ? 0 : 1;
}
