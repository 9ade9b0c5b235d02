// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The median of an array and of each row of a matrix, and the array's upper tenth, without sorting.
#include <gpuprim/top_k.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 40000) | 1, middle = n / 2, tenth = n / 10;
  std::vector<float> latencies;
  for (int i = 0; i < n; ++i) latencies.push_back(float((unsigned(i) * 2654435761u) >> 12 & 0xffff) / 64);
  const measure::device_array<float> device_latencies(latencies), parted(latencies);
  const float* const in = device_latencies.data();
  const int seconds = n / 100;
  const measure::device_array<float> device_medians{std::size_t(seconds)};
  float *const out = parted.data(), *const medians = device_medians.data();

  // [calls]
  // The median is where a sort would put it: out[middle].
  cudaError_t e = gpuprim::nth_element(in, n, middle, out);
  if (e == cudaSuccess) {
    float median = 0;
    e = cudaMemcpy(&median, out + middle, sizeof median, cudaMemcpyDeviceToHost);
    std::printf("the median of %d latencies is %.3f\n", n, median);
  }
  // In place, from the greatest down: the tenth that is the slowest stands in front, out[tenth] behind it.
  if (e == cudaSuccess) e = gpuprim::nth_element(out, n, tenth, out, gpuprim::largest);
  // [calls]
  // [rows]
  // The latencies as rows, one of a hundred for each second: the median of each.
  const gpuprim::fixed_length second{100};
  if (e == cudaSuccess) e = gpuprim::segmented_nth_element(in, second, seconds, 50, medians);
  // [rows]
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  std::vector<float> got = parted.on_host();
  const std::vector<float> got_medians = device_medians.on_host();
  bool right = true;
  for (int i = 0; i < seconds; ++i) {
    std::vector<float> row(latencies.begin() + 100 * i, latencies.begin() + 100 * (i + 1));
    std::sort(row.begin(), row.end());
    right &= got_medians[std::size_t(i)] == row[50];
  }
  std::sort(latencies.begin(), latencies.end());
  const float bound = latencies[std::size_t(n - 1 - tenth)];
  right &= got[std::size_t(tenth)] == bound;
  for (int i = 0; i < n; ++i) right &= i < tenth ? got[std::size_t(i)] >= bound : got[std::size_t(i)] <= bound;
  std::sort(got.begin(), got.end());
  right &= got == latencies;
  std::printf("the slowest tenth begins at %.3f: %s\n", bound, right ? "right" : "wrong");
  return right ? 0 : 1;
}
