// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A running mean: at each place the mean of all readings up to there, without those that are missing (NaN). One scan
// joins pairs of a sum and a count; each pair becomes a mean where it is written.
#include <gpuprim/scan.cuh>

#include "../measure.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

// [mean]
struct mean_so_far {
  double sum;
  std::int64_t count;
  /// What is written. The scan converts its results to the type of the output.
  __host__ __device__ operator double() const { return sum / double(count); }
};

struct join_means {
  __host__ __device__ mean_so_far operator()(const mean_so_far& a, const mean_so_far& b) const {
    return {a.sum + b.sum, a.count + b.count};
  }
};

struct of_reading {
  __host__ __device__ mean_so_far operator()(float reading) const {
    const bool is_missing = reading != reading;
    return is_missing ? mean_so_far{0, 0} : mean_so_far{double(reading), 1};
  }
};
// [mean]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 50000);
  std::vector<float> readings;  // multiples of 1/4: their sums in double are exact
  for (int i = 0; i < n; ++i) readings.push_back(i % 7 == 3 ? NAN : float(i % 97) * 0.25f - 5);
  const measure::device_array<float> in(readings);
  const measure::device_array<double> means(readings.size());

  // [call]
  measure::check(gpuprim::transform_inclusive_scan(in.data(), n, means.data(), join_means{}, of_reading{}));
  // [call]

  std::vector<double> want;
  double sum = 0;
  int present = 0;
  for (const float reading : readings) {
    if (!std::isnan(reading)) {
      sum += double(reading);
      ++present;
    }
    want.push_back(sum / present);
  }
  const std::vector<double> got = means.on_host();
  const bool right = got == want;
  std::printf("the mean of %d readings of %d is %g: %s\n", present, n, got.back(), right ? "right" : "wrong");
  return right ? 0 : 1;
}
