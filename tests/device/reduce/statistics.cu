// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/extrema.cuh>
#include <gpuprim/statistics.cuh>

#include "../../support/family_check.cuh"

#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>

namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

/// The oracle: two passes in long double.
template <class T>
gpuprim::moments find_moments(const std::vector<T>& values) {
  long double mean = 0, sums[3] = {};
  for (const T& v : values) mean += (long double)(double(v));
  mean /= (long double)(values.size());
  for (const T& v : values) {
    const long double d = (long double)(double(v)) - mean;
    sums[0] += d * d;
    sums[1] += d * d * d;
    sums[2] += d * d * d * d;
  }
  return {double(values.size()), double(mean), {double(sums[0]), double(sums[1]), double(sums[2])}};
}

/// Each power sum is off by h u at most, relative to the sum of the magnitudes of its terms, and the subtractions that
/// make central moments of them lose a factor that the pivot's distance decides; see moments.cuh.
void check_moments(const gpuprim::moments& got, const gpuprim::moments& want, double pivot) {
  const double n = want.count, u = 0x1p-53, h = n + 20;
  const double deviation = want.standard_deviation(), far = std::abs(pivot - want.mean);
  const double scale = far + std::pow(want.sums[2] / n, 0.25);  // of the distances from the pivot
  CHECK(got.count == n);
  CHECK_THAT(got.mean, WithinAbs(want.mean, h * u * (scale + std::abs(want.mean))));
  CHECK_THAT(got.variance(), WithinAbs(want.variance(), 8 * h * u * scale * scale));
  CHECK_THAT(got.sums[1] / n, WithinAbs(want.sums[1] / n, 32 * h * u * std::pow(scale, 3)));
  CHECK_THAT(got.sums[2] / n, WithinAbs(want.sums[2] / n, 64 * h * u * std::pow(scale, 4)));
  const double lost = scale * scale / want.variance();
  if (deviation > 0) CHECK_THAT(got.standard_deviation(), WithinRel(deviation, 8 * h * u * lost));
}

template <class T>
void check_values(const std::vector<T>& values, std::size_t misalignment = 0) {
  const auto n = std::int64_t(values.size());
  CAPTURE(n, misalignment);
  test::device_array<T> input(values, misalignment);
  check_moments(gpuprim::all_moments_value(input.data(), n), find_moments(values), double(values[0]));
  input.check_unchanged();
}

template <class T>
std::vector<T> uneven_values(std::int64_t n, double offset) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i) {
    const double r = double(test::scramble(std::uint64_t(i)) % 1001) / 16;
    values.push_back(static_cast<T>(float(offset + r * r / 100)));
  }
  return values;
}

}  // namespace

TEST_CASE("moments of every size and type", "[device][sanitizer][not_asan]") {
  for (std::int64_t n : test::sizes()) {
    if (n == 0) continue;
    check_values(uneven_values<float>(n, 0));
    check_values(uneven_values<double>(n, -3));
    check_values(uneven_values<int>(n, 100));
    check_values(uneven_values<signed char>(n, 3));
    check_values(uneven_values<__half>(n, 1));
  }
  for (std::size_t offset = 0; offset < 16; offset += 4) check_values(uneven_values<float>(4001, 0), offset);
}

TEST_CASE("single statistics come from the same sums", "[device][not_asan]") {
  for (std::int64_t n : {1, 33, 2049, 9001}) {
    CAPTURE(n);
    const auto values = uneven_values<float>(n, 0);
    test::device_array<float> input(values);
    const auto all = gpuprim::all_moments_value(input.data(), n);
    CHECK_THAT(gpuprim::mean_value(input.data(), n), WithinRel(all.mean, 1e-15 * double(n)));
    CHECK_THAT(gpuprim::variance_value(input.data(), n), WithinRel(all.variance(), 1e-12));
    CHECK_THAT(gpuprim::standard_deviation_value(input.data(), n), WithinRel(all.standard_deviation(), 1e-12));
    if (n == 1) continue;  // whose variance is 0
    CHECK_THAT(gpuprim::skewness_value(input.data(), n), WithinAbs(all.skewness(), 1e-9));
    CHECK_THAT(gpuprim::kurtosis_value(input.data(), n), WithinRel(all.kurtosis(), 1e-9));
  }
}

TEST_CASE("moments of numbers far from zero", "[device][not_asan]") {
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) values.push_back(1e9 + i % 3);
  test::device_array<double> input(values);
  CHECK(gpuprim::mean_value(input.data(), 3000) == 1e9 + 1);
  std::vector<std::int64_t> integers;
  for (int i = 0; i < 3000; ++i) integers.push_back(std::numeric_limits<std::int64_t>::max() - i % 3);
  test::device_array<std::int64_t> wide(integers);
  CHECK_THAT(gpuprim::variance_value(wide.data(), 3000), WithinRel(2.0 / 3, 1e-12));
}

TEST_CASE("moments about the worst pivot keep to their bound", "[device][not_asan]") {
  // One number far from all others, and it is the pivot.
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i) values.push_back(double(i % 7));
  values[0] = 1e6;
  check_values(values);
}

TEST_CASE("moments of equal numbers, of one and of none", "[device][not_asan]") {
  test::device_array<float> input(std::vector<float>(5000, 0.1f));
  CHECK(gpuprim::variance_value(input.data(), 5000) == 0);
  CHECK(gpuprim::mean_value(input.data(), 5000) == double(0.1f));
  CHECK(gpuprim::variance_value(input.data(), 1) == 0);
  const float* nothing = nullptr;
  CHECK(std::isnan(gpuprim::mean_value(nothing, 0)));
  CHECK(std::isnan(gpuprim::variance_value(nothing, 0)));
  CHECK(gpuprim::all_moments_value(nothing, 0).count == 0);
}

TEST_CASE("moments are NaN wherever an infinity is", "[device][not_asan]") {
  for (std::size_t place : {0, 1, 2}) {
    std::vector<double> values(3, 1.0);
    values[place] = INFINITY;
    test::device_array<double> input(values);
    CHECK(std::isnan(gpuprim::mean_value(input.data(), 3)));
    CHECK(std::isnan(gpuprim::variance_value(input.data(), 3)));
  }
}

TEST_CASE("the mean of finite numbers is finite, and a variance that does not fit is infinite",
          "[device][sanitizer][not_asan]") {
  const double most = std::numeric_limits<double>::max();
  const auto mean_of = [](const std::vector<double>& values) {
    test::device_array<double> input(values);
    const auto n = std::int64_t(values.size());
    const double mean = gpuprim::mean_value(input.data(), n);
    CHECK_THAT(gpuprim::all_moments_value(input.data(), n).mean, WithinRel(mean, 1e-15));
    return mean;
  };
  CHECK(mean_of({1.7e308, -1.7e308}) == 0);
  CHECK(mean_of({-most, most, most, -most}) == 0);
  CHECK(mean_of(std::vector<double>(5000, most)) == most);
  std::vector<double> one_small(5001, most);
  one_small[0] = 0;
  CHECK_THAT(mean_of(one_small), WithinRel(most / 5001 * 5000, 1e-14));
  CHECK_THAT(mean_of({1e160, -1e160, 3e159}), WithinRel(1e159, 1e-14));
  CHECK_THAT(mean_of({1e-290, 3e-290, 5e-290}), WithinRel(3e-290, 1e-14));
  test::device_array<double> subnormal(std::vector<double>{1e-310, 3e-310});
  CHECK(gpuprim::mean_value(subnormal.data(), 2) == 2e-310);
  for (const std::vector<double>& values : {std::vector<double>{1e160, -1e160, 3e159}, {most, -most}, {0, most}}) {
    test::device_array<double> input(values);
    const auto n = std::int64_t(values.size());
    CHECK(gpuprim::variance_value(input.data(), n) == INFINITY);
    CHECK(gpuprim::standard_deviation_value(input.data(), n) == INFINITY);
    CHECK(gpuprim::all_moments_value(input.data(), n).variance() == INFINITY);
  }
  const auto merged = gpuprim::merge_moments{}({1, most, {}}, {1, -most, {}});
  CHECK(merged.mean == 0);
  CHECK(merged.variance() == INFINITY);
}

TEST_CASE("moments of parts are merged into those of the whole", "[device][not_asan]") {
  const auto values = uneven_values<double>(9001, 50);
  const auto whole = find_moments(values);
  gpuprim::moments merged{0, 0, {0, 0, 0}};
  for (std::size_t first : {0, 10, 4000}) {
    const std::size_t last = first == 0 ? 10 : first == 10 ? 4000 : values.size();
    const std::vector<double> part(values.begin() + first, values.begin() + last);
    merged = gpuprim::merge_moments{}(merged, find_moments(part));
  }
  check_moments(merged, whole, whole.mean);
}

TEST_CASE("norms of every size", "[device][sanitizer][not_asan]") {
  for (std::int64_t n : test::sizes()) {
    const auto values = uneven_values<float>(n, -7);
    long double one = 0, two = 0;
    float most = 0;
    for (float v : values) {
      one += (long double)(std::abs(v));
      two += (long double)(v) * (long double)(v);
      most = std::max(most, std::abs(v));
    }
    const double tolerance = 2e-16 * double(n + 10);
    const std::vector<double> doubles(values.begin(), values.end());
    test::device_array<float> input(values);
    test::device_array<double> wide(doubles);
    CHECK_THAT(gpuprim::norm_1_value(input.data(), n), WithinRel(double(one), tolerance));
    CHECK_THAT(gpuprim::norm_2_value(input.data(), n), WithinRel(double(std::sqrt(two)), tolerance));
    CHECK_THAT(gpuprim::norm_2_value(wide.data(), n), WithinRel(double(std::sqrt(two)), tolerance));
    CHECK(gpuprim::norm_infinity_value(input.data(), n) == double(most));
    CHECK(gpuprim::norm_infinity_value(wide.data(), n) == double(most));
  }
}

TEST_CASE("norm_2 neither overflows nor underflows", "[device][not_asan]") {
  for (double size : {1e300, 1e-300, 5e-324, 1e200, 1.0}) {
    test::device_array<double> input(std::vector<double>(1600, size));
    CHECK_THAT(gpuprim::norm_2_value(input.data(), 1600), WithinRel(40 * size, 1e-13));
  }
  test::device_array<double> mixed(std::vector<double>{3e-300, 4e-300, 1e-320});
  CHECK_THAT(gpuprim::norm_2_value(mixed.data(), 3), WithinRel(5e-300, 1e-15));
  test::device_array<double> wide(std::vector<double>{3e300, 1e-300, 4e300, 1});
  CHECK_THAT(gpuprim::norm_2_value(wide.data(), 4), WithinRel(5e300, 1e-15));
  test::device_array<double> near(std::vector<double>{0x1p-512, 0x1p-510});  // either side of a boundary
  CHECK_THAT(gpuprim::norm_2_value(near.data(), 2), WithinRel(std::sqrt(17.0) * 0x1p-512, 1e-15));
}

TEST_CASE("norms of integers and of special values", "[device][not_asan]") {
  test::device_array<int> integers(std::vector<int>{std::numeric_limits<int>::min(), 5, -3});
  CHECK(gpuprim::norm_infinity_value(integers.data(), 3) == 2147483648.0);
  CHECK(gpuprim::norm_1_value(integers.data(), 3) == 2147483656.0);
  test::device_array<float> with_nan(std::vector<float>{1, std::nanf(""), -3});
  CHECK(std::isnan(gpuprim::norm_infinity_value(with_nan.data(), 3)));
  CHECK(std::isnan(gpuprim::norm_1_value(with_nan.data(), 3)));
  CHECK(std::isnan(gpuprim::norm_2_value(with_nan.data(), 3)));
  const double* nothing = nullptr;
  CHECK(gpuprim::norm_1_value(nothing, 0) == 0);
  CHECK(gpuprim::norm_2_value(nothing, 0) == 0);
  CHECK(gpuprim::norm_infinity_value(nothing, 0) == 0);
}

TEST_CASE("statistics are parts of a fused pass", "[device][not_asan]") {
  const auto values = uneven_values<float>(30001, 5);
  test::device_array<float> input(values);
  const auto [mean, deviation, low, one] = gpuprim::reduce_into_value(
      input.data(), 30001,
      gpuprim::fused(gpuprim::mean, gpuprim::standard_deviation, gpuprim::min_element, gpuprim::norm_1));
  const auto want = find_moments(values);
  CHECK_THAT(mean, WithinRel(want.mean, 1e-12));
  CHECK_THAT(deviation, WithinRel(want.standard_deviation(), 1e-10));
  CHECK(low == gpuprim::min_element_value(input.data(), 30001));
  CHECK_THAT(one, WithinRel(want.mean * 30001, 1e-12));
}

TEST_CASE("statistics refuse bad input", "[device][not_asan]") {
  using Catch::Matchers::ContainsSubstring;
  const float* nothing = nullptr;
  test::device_array<double> output(1);
  CHECK(gpuprim::mean(nothing, 5, output.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::norm_2(nothing, -5, output.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::accurate_sum(nothing, 5, reinterpret_cast<float*>(output.data())) == cudaErrorInvalidValue);
  output.check_untouched();
  CHECK_THAT(test::message_of([&] { return gpuprim::variance_value(nothing, 3); }),
             ContainsSubstring("gpuprim::variance_value: the input is a null pointer"));
}
