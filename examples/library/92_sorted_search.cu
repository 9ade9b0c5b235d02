// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many values searched for in a sorted array at once: how many elements are less than each, and how many are equal.
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

// [kernel]
/// Counts in a kernel of one's own: a thread each, or a warp together for one value.
__global__ void count_less(const int* sorted, int n, const int* values, int* less, int* less_than_first) {
  const int i = int(threadIdx.x);
  less[i] = gpuprim::thread_lower_bound(sorted, n, values[i]);
  const gpuprim::warp_tile<32> warp;
  const int together = gpuprim::warp_lower_bound(warp, sorted, n, values[0]);
  if (i == 0) *less_than_first = together;
}
// [kernel]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 5003), wanted = n / 2;
  std::vector<int> elements, values;
  for (int i = 0; i < n; ++i) elements.push_back(i / 3 * 2);  // 0 0 0 2 2 2 4 ...
  for (int i = 0; i < wanted; ++i) values.push_back(int((unsigned(i) * 2654435761u >> 8) % unsigned(n)));
  const measure::device_array<int> sorted(elements), searched(values), first(values.size()), number(values.size());

  // [calls]
  cudaError_t error = gpuprim::lower_bound(sorted.data(), n, searched.data(), wanted, first.data());
  if (error == cudaSuccess) error = gpuprim::upper_bound(sorted.data(), n, searched.data(), wanted, number.data());
  if (error == cudaSuccess) {  // the number of elements that are equal, in place
    error = gpuprim::transform(gpuprim::inputs(number.data(), first.data()), wanted, number.data(), gpuprim::minus{});
  }
  // [calls]

  // [sorted]
  // The elements among themselves: values that are sorted too are merged with the elements.
  const measure::device_array<int> own(elements.size());
  if (error == cudaSuccess) error = gpuprim::upper_bound_of_sorted(sorted.data(), n, sorted.data(), n, own.data());
  // [sorted]
  const measure::device_array<int> less(33);
  if (error == cudaSuccess) {
    error = gpuprim::launch(&count_less, 1, 32, nullptr, static_cast<const int*>(sorted.data()), n,
                            static_cast<const int*>(searched.data()), less.data(), less.data() + 32);
  }
  measure::check(error);
  const auto got_less = less.on_host();
  const auto got_first = first.on_host(), got_number = number.on_host();
  bool right = got_less[32] == got_first[0];
  for (std::size_t i = 0; i < 32; ++i) right &= got_less[i] == got_first[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [low, high] = std::equal_range(elements.begin(), elements.end(), values[i]);
    right &= got_first[i] == int(low - elements.begin()) && got_number[i] == int(high - low);
  }
  const auto got_own = own.on_host();
  for (int i = 0; i < n; ++i) right &= got_own[std::size_t(i)] == (n < i / 3 * 3 + 3 ? n : i / 3 * 3 + 3);
  std::printf("%d values in %d elements: %s\n", wanted, n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
