// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions: into two parts of one output, with and without keeping the order of the second part; into outputs of
// their own; and into three parts.
#include <gpuprim/select.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

struct is_below {
  int limit;
  __host__ __device__ bool operator()(int x) const { return x < limit; }
};

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 100000);
  std::vector<int> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(int(unsigned(i) * 2654435761u >> 8) % 100);
  const measure::device_array<int> device_numbers(numbers);
  const measure::device_array<int> together(numbers.size()), in_order(numbers.size()), counts(5);
  const measure::device_array<int> first(numbers.size()), second(numbers.size()), third(numbers.size());
  const int* const in = device_numbers.data();
  int *both = together.data(), *stable = in_order.data(), *how_many = counts.data();
  int *low = first.data(), *middle = second.data(), *high = third.data();

  // [calls]
  const is_below less{30}, more{70};
  // One output: the others stand behind in the reverse of their order, or, at the cost of reading twice, in order.
  cudaError_t e = gpuprim::partition_if(in, n, both, how_many, less);
  if (e == cudaSuccess) e = gpuprim::stable_partition_if(in, n, stable, how_many + 1, less);
  // Outputs of their own, two or three: all are in order.
  if (e == cudaSuccess) e = gpuprim::partition_if(in, n, gpuprim::outputs(low, high), how_many + 2, less);
  if (e == cudaSuccess) e = gpuprim::partition_if(in, n, gpuprim::outputs(low, middle, high), how_many + 3, less, more);
  // [calls]
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  std::vector<int> want = numbers, want_low, want_middle, want_high;
  std::stable_partition(want.begin(), want.end(), less);
  for (int x : numbers) (x < 30 ? want_low : x < 70 ? want_middle : want_high).push_back(x);
  const auto lows = std::ptrdiff_t(want_low.size()), middles = std::ptrdiff_t(want_middle.size());
  const std::vector<int> got_counts = counts.on_host(), got_low = first.on_host(), got_middle = second.on_host();
  bool right = in_order.on_host() == want && std::equal(want_low.begin(), want_low.end(), got_low.begin()) &&
               std::equal(want_middle.begin(), want_middle.end(), got_middle.begin());
  const std::vector<int> got_high = third.on_host();
  right &= std::equal(want_high.begin(), want_high.end(), got_high.begin());
  std::reverse(want.begin() + lows, want.end());
  right &= together.on_host() == want;
  for (int i = 0; i < 4; ++i) right &= got_counts[std::size_t(i)] == int(lows);
  right &= got_counts[4] == int(middles);
  // Where the host needs to know how many are in front, it waits for them.
  right &= gpuprim::partition_if_count(in, n, both, less) == lows;
  std::printf("%d numbers: %d low, %d middle: %s\n", n, int(lows), int(middles), right ? "right" : "wrong");
  return right ? 0 : 1;
}
