// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/statistics.cuh>

#include "../../support/family_check.cuh"

#include <cmath>
#include <limits>

namespace {

__extension__ typedef __int128 exact;  // in units of 2^-40

/// Pairs that cancel, and numbers that are left: about 1 / `condition` of the sum of magnitudes.
template <class T>
std::vector<T> make_cancelling(std::int64_t n, double condition) {
  std::vector<T> values;
  for (std::int64_t i = 0; i + 2 < n; i += 3) {
    const double r = 1 + double(test::scramble(std::uint64_t(i)) % 100000) / 65536;
    const double large = std::ldexp(std::round(r * 0x1p20), -20);
    const double residue = std::ldexp(std::round(std::ldexp(r, 38) / condition), -38);
    for (double v : {large, -large, residue}) values.push_back(static_cast<T>(v));
  }
  while (std::int64_t(values.size()) < n) values.push_back(T(0.5));
  // Far apart: no tree must find the pairs beside each other.
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::swap(values[i], values[test::scramble(i) % values.size()]);
  }
  return values;
}

struct known_sum {
  exact sum = 0, magnitude = 0;
};

template <class T>
known_sum sum_exactly(const std::vector<T>& values) {
  known_sum known;
  for (T v : values) {
    const double scaled = std::ldexp(double(v), 80);
    const exact e = exact(std::ldexp(scaled, -30)) * (exact(1) << 30);
    REQUIRE(double(e) == scaled);  // no digit below the unit
    known.sum += e >> 40;
    known.magnitude += (e < 0 ? -e : e) >> 40;
  }
  return known;
}

template <class T>
void check_accurate(std::int64_t n, double condition, std::size_t misalignment = 0) {
  CAPTURE(n, condition);
  const auto values = make_cancelling<T>(n, condition);
  const known_sum known = sum_exactly(values);
  test::device_array<T> input(values, misalignment), output(1);
  CUDA_OK(gpuprim::accurate_sum(input.data(), n, output.data()));
  const T got = output.download()[0];
  // The bound of accurate_sum.cuh, with a chain of at most n / 32 additions in a lane and a few joins.
  const double rounding = std::numeric_limits<T>::epsilon() / 2, h = double(n) / 32 + 100, u = 0x1p-53;
  const double bound = rounding * std::abs(double(known.sum)) + 2 * h * h * u * u * double(known.magnitude);
  const exact error = exact(std::ldexp(double(got), 40)) - known.sum;
  const double whole = std::ldexp(double(got), 40);
  const double fraction = whole - double(exact(whole));
  CHECK(std::abs(double(error) + fraction) <= bound * (1 + 1e-9) + 1e-9);
  input.check_unchanged();
}

}  // namespace

TEST_CASE("accurate sums of cancelling numbers keep to their bound", "[device][sanitizer][not_asan]") {
  for (double condition : {1e0, 1e2, 1e4, 1e6, 1e8, 1e10}) {
    for (std::int64_t n : {2, 1000, 30001}) {
      check_accurate<float>(n, condition);
      check_accurate<double>(n, condition);
    }
  }
  if (!test::on_simt) check_accurate<double>((1 << 22) + 1, 1e10);
}

TEST_CASE("an accurate sum of many equal numbers", "[device][not_asan]") {
  const std::vector<float> small(4096, 1e-4f);  // a float sum of these in order is off in the fourth digit
  test::device_array<float> floats(small);
  CHECK(gpuprim::accurate_sum_value(floats.data(), 4096) == float(4096 * double(1e-4f)));
}

TEST_CASE("accurate sums of half precision, of special values and of none", "[device][not_asan]") {
  const auto values = test::make_values<__half>(20001);
  test::device_array<__half> input(values);
  CHECK(gpuprim::accurate_sum_value(input.data(), 20001) == test::expected(values, gpuprim::plus{}, 0.0f));
  constexpr double inf = std::numeric_limits<double>::infinity();
  test::device_array<double> infinite(std::vector<double>{1, inf, 2}), unordered(std::vector<double>{inf, -inf});
  CHECK(gpuprim::accurate_sum_value(infinite.data(), 3) == inf);
  CHECK(std::isnan(gpuprim::accurate_sum_value(unordered.data(), 2)));
  const double* nothing = nullptr;
  CHECK(gpuprim::accurate_sum_value(nothing, 0) == 0);
}

TEST_CASE("accurate is a form of reduce", "[device][not_asan]") {
  test::device_array<double> input(std::vector<double>{1e100, 1, -1e100}), output(1);
  CUDA_OK(gpuprim::reduce(gpuprim::accurate, input.data(), 3, output.data(), gpuprim::plus{}, 5.0));
  CHECK(output.download()[0] == 6);
}
