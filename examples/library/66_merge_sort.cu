// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merge sorts, which take elements of any type and any order, and keep the order of equal elements: records of a table
// by one of their columns, keys with values, the rows of a matrix by a block each, and a few numbers by a warp or by
// one thread.
#include <gpuprim/block/block_load_store.cuh>
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/device/merge_sort.cuh>
#include <gpuprim/warp/warp_sort.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

struct sale {
  int customer;
  float amount;
};

// [order]
struct by_amount {
  __host__ __device__ bool operator()(const sale& a, const sale& b) const { return a.amount > b.amount; }
};
// [order]

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

constexpr int block_size = 128, items = 7, row_length = 800, rows = 5;

// [block]
__global__ void sort_rows(int* matrix) {
  const gpuprim::this_block block;
  int* const row = matrix + int(blockIdx.x) * row_length;
  int values[items];
  gpuprim::block_load<block_size>(block, row, values, row_length);
  gpuprim::block_sort<block_size>(block, values, is_less{}, row_length);  // of 896 values, the first 800
  gpuprim::block_store<block_size>(block, values, row, row_length);
}
// [block]

// [warp]
/// The median of nine neighbours, and the rank of each median among those of a warp.
__global__ void rank_medians(const int* in, int* medians, int* ranks) {
  int own[9];
  for (int i = 0; i < 9; ++i) own[i] = in[9 * threadIdx.x + i];
  gpuprim::thread_sort(own, is_less{});
  medians[threadIdx.x] = own[4];
  int median = own[4], lane = int(threadIdx.x);
  gpuprim::warp_sort(gpuprim::warp_tile<32>{}, median, lane, is_less{});  // the medians in order, and whose they are
  ranks[lane] = int(threadIdx.x);
}
// [warp]

/// Ring buffers of four rising times each, the first of which is anywhere.
__global__ void unroll_rings(int* rings) {
  int times[4];
  for (int i = 0; i < 4; ++i) times[i] = rings[4 * threadIdx.x + i];
  gpuprim::thread_bitonic_merge(times, is_less{});
  for (int i = 0; i < 4; ++i) rings[4 * threadIdx.x + i] = times[i];
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 20000);
  std::vector<sale> sales;
  std::vector<int> keys, numbers, matrix, rings;
  for (int i = 0; i < n; ++i) {
    sales.push_back({i, float(int(unsigned(i) * 2654435761u >> 20) % 100)});
    keys.push_back(int(unsigned(i) * 2246822519u >> 18) % 500);
    numbers.push_back(i);
  }
  for (int i = 0; i < rows * row_length; ++i) matrix.push_back(i * 7919 % 10007);
  for (int i = 0; i < 4 * 32; ++i) rings.push_back(10 * (i / 4) + (i + i / 4) % 4);
  const measure::device_array<sale> device_sales(sales), device_sorted(sales.size());
  const measure::device_array<int> device_keys(keys), device_numbers(numbers), device_matrix(matrix);
  const measure::device_array<int> device_medians(32), device_ranks(32), device_rings(rings);
  const sale* const in = device_sales.data();
  sale* const sorted = device_sorted.data();
  int *key = device_keys.data(), *number = device_numbers.data();

  // [calls]
  gpuprim::workspace ws(gpuprim::merge_sort_workspace_size<int, int>(n));
  (void)ws.reserve(gpuprim::merge_sort_workspace_size<sale>(n));
  cudaError_t e = gpuprim::merge_sort(in, n, sorted, by_amount{}, {.workspace = &ws});
  // In place: the numbers go with their keys.
  if (e == cudaSuccess) e = gpuprim::merge_sort_pairs(key, number, n, key, number, is_less{}, {.workspace = &ws});
  // [calls]
  const measure::device_array<int> unsorted(matrix);
  if (e == cudaSuccess) e = gpuprim::launch(sort_rows, rows, block_size, nullptr, device_matrix.data());
  if (e == cudaSuccess) {
    e = gpuprim::launch(rank_medians, 1, 32, nullptr, unsorted.data(), device_medians.data(), device_ranks.data());
  }
  if (e == cudaSuccess) e = gpuprim::launch(unroll_rings, 1, 32, nullptr, device_rings.data());
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  std::vector<sale> want = sales;
  std::stable_sort(want.begin(), want.end(), by_amount{});
  const std::vector<sale> got = device_sorted.on_host();
  bool right = std::equal(got.begin(), got.end(), want.begin(), [](const sale& a, const sale& b) {
    return a.customer == b.customer && a.amount == b.amount;
  });
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](int a, int b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
  right &= device_numbers.on_host() == numbers;
  std::stable_sort(keys.begin(), keys.end());
  right &= device_keys.on_host() == keys;
  std::vector<int> medians;
  for (int i = 0; i < 32; ++i) {
    std::vector<int> nine(matrix.begin() + 9 * i, matrix.begin() + 9 * (i + 1));
    std::sort(nine.begin(), nine.end());
    medians.push_back(nine[4]);
  }
  right &= device_medians.on_host() == medians;
  const std::vector<int> ranks = device_ranks.on_host(), unrolled = device_rings.on_host();
  for (int i = 0; i < 32; ++i) {
    const auto is_before = [&](int other) { return other < medians[std::size_t(i)]; };
    right &= ranks[std::size_t(i)] >= std::count_if(medians.begin(), medians.end(), is_before);
  }
  for (int i = 0; i < 4 * 32; ++i) right &= unrolled[std::size_t(i)] == 10 * (i / 4) + i % 4;
  for (int row = 0; row < rows; ++row) {
    std::sort(matrix.begin() + row * row_length, matrix.begin() + (row + 1) * row_length);
  }
  right &= device_matrix.on_host() == matrix;
  std::printf("%d sales by their amounts, %d keys with their numbers, %d rows: %s\n", n, n, rows,
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
