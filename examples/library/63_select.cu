// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects: elements for which a predicate holds or a flag is set, the rows of a table by several of its columns, and
// results of a projection that may refuse an element. The order is kept.
#include <gpuprim/select.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

struct is_negative {
  __host__ __device__ bool operator()(int x) const { return x < 0; }
};

struct is_cheap {
  __host__ __device__ bool operator()(int price) const { return price < 100; }
};

// [row]
/// Whether a row of a table, of which each column is an array, is one that is looked for.
struct is_wanted {
  const int *price, *stock;
  __host__ __device__ bool operator()(int row) const { return price[row] < 500 && stock[row] > 0; }
};
// [row]

// [projection]
/// A half of an even number; odd numbers are refused.
struct half_of_even {
  __host__ __device__ gpuprim::maybe<int> operator()(int x) const {
    if (x % 2 != 0) return {};
    return x / 2;
  }
};
// [projection]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 100000);
  std::vector<int> numbers, prices, stocks, rows;
  std::vector<unsigned char> is_chosen;
  for (int i = 0; i < n; ++i) {
    numbers.push_back(int(unsigned(i) * 2654435761u) >> 8);
    prices.push_back(int(unsigned(i) * 40503u >> 4) % 1000);
    stocks.push_back(i % 3);
    is_chosen.push_back(i % 5 == 0);
    rows.push_back(i);
  }
  const measure::device_array<int> device_numbers(numbers), device_prices(prices), device_stocks(stocks);
  const measure::device_array<int> device_rows(rows);
  const measure::device_array<unsigned char> device_flags(is_chosen);
  const measure::device_array<int> negatives(numbers.size()), flagged(numbers.size()), wanted(numbers.size());
  const measure::device_array<int> halves(numbers.size()), by_price(numbers.size()), counts(5);
  const int* const in = device_numbers.data();
  const unsigned char* const flags = device_flags.data();
  int* const how_many = counts.data();

  // [calls]
  cudaError_t e = gpuprim::select_if(in, n, negatives.data(), how_many, is_negative{});
  if (e == cudaSuccess) e = gpuprim::select_flagged(in, flags, n, flagged.data(), how_many + 1);
  if (e == cudaSuccess) e = gpuprim::transform_select(in, n, halves.data(), how_many + 2, half_of_even{});
  // Where a predicate holds for what stands beside in another array; the output may be `in`.
  if (e == cudaSuccess) {
    e = gpuprim::select_if(in, device_prices.data(), n, by_price.data(), how_many + 4, is_cheap{});
  }
  // [calls]
  // [table]
  // The numbers of the rows that are wanted; the columns are read row by row.
  const is_wanted predicate{device_prices.data(), device_stocks.data()};
  if (e == cudaSuccess) e = gpuprim::select_if(device_rows.data(), n, wanted.data(), how_many + 3, predicate);
  // [table]
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  std::vector<int> want[5];
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(want[0]), is_negative{});
  for (int i = 0; i < n; ++i) {
    const std::size_t at = std::size_t(i);
    if (is_chosen[at]) want[1].push_back(numbers[at]);
    if (numbers[at] % 2 == 0) want[2].push_back(numbers[at] / 2);
    if (prices[at] < 100) want[4].push_back(numbers[at]);
    if (prices[at] < 500 && stocks[at] > 0) want[3].push_back(i);
  }
  const std::vector<int> got[5] = {negatives.on_host(), flagged.on_host(), halves.on_host(), wanted.on_host(),
                                   by_price.on_host()};
  bool right = true;
  for (int i = 0; i < 5; ++i) {
    right &= counts.on_host()[std::size_t(i)] == int(want[i].size());
    right &= std::equal(want[i].begin(), want[i].end(), got[i].begin());
  }
  std::printf("of %d: %d negative, %d flagged, %d even, %d rows wanted: %s\n", n, int(want[0].size()),
              int(want[1].size()), int(want[2].size()), int(want[3].size()), right ? "right" : "wrong");
  return right ? 0 : 1;
}
