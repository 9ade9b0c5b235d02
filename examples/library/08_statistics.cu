// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statistics, norms and an accurate sum: one by one, or all in one pass over the data.
#include <gpuprim/statistics.cuh>

#include "../measure.hpp"

#include <cmath>

int main() {
  // Rolls of three dice beside 10^6: the mean and the shape of the distribution are known.
  std::vector<double> values;
  for (int a = 1; a <= 6; ++a) {
    for (int b = 1; b <= 6; ++b) {
      for (int repeat = 0; repeat < 100; ++repeat) {
        for (int c = 1; c <= 6; ++c) values.push_back(1e6 + a + b + c);
      }
    }
  }
  const auto n = std::int64_t(values.size());
  const measure::device_array<double> dice(values);
  const double* in = dice.data();
  // [statistics]
  const gpuprim::moments m = gpuprim::all_moments_value(in, n);
  const auto [mean, deviation, norm] =
      gpuprim::reduce_into_value(in, n, gpuprim::fused(gpuprim::mean, gpuprim::standard_deviation, gpuprim::norm_2));
  // [statistics]

  // Two numbers that swallow all others in a plain sum.
  values[1] = 1e30;
  values[n - 1] = -1e30;
  const measure::device_array<double> with_large(values), out(1);
  // [accurate]
  const cudaError_t e = gpuprim::reduce(gpuprim::accurate, with_large.data(), n, out.data(), gpuprim::plus{}, 0.0);
  // [accurate]
  const double accurate = out.on_host()[0];
  double want_sum = 0;
  for (std::int64_t i = 0; i < n; ++i) want_sum += i == 1 || i == n - 1 ? 0 : values[std::size_t(i)];

  std::printf("mean %.3f, deviation %.6f, skewness %.3f, kurtosis %.4f, norm %.6g, accurate sum %.1f: %s\n", mean,
              deviation, m.skewness(), m.kurtosis(), norm, accurate, cudaGetErrorString(e));
  auto near = [](double got, double want, double by) { return std::abs(got - want) <= by; };
  const double dice_variance = 3 * 35.0 / 12, dice_kurtosis = 3 - 222.0 / 175 / 3;
  const bool right = near(mean, 1e6 + 10.5, 1e-6) && near(m.variance(), dice_variance, 1e-8) &&
                     near(deviation * deviation, dice_variance, 1e-8) && near(m.skewness(), 0, 1e-8) &&
                     near(m.kurtosis(), dice_kurtosis, 1e-8) && accurate == want_sum &&
                     near(norm, std::sqrt(double(n) * (mean * mean + dice_variance)), 1e-3);
  return e == cudaSuccess && right ? 0 : 1;
}
