// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distances, shares and the pivot by themselves, and the pass on the device against a plain loop.
#include "device.cuh"
#include "figures.cuh"
#include "pivot.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

namespace {

using describe::number, describe::summary;

int failures = 0;

void expect(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b)); }

/// What a plain loop finds in a column.
template <class T>
struct found {
  std::int64_t count = 0;
  describe::sum_of<T> sum = 0;
  double deviations = 0;
  gpuprim::extremum<T> min, max;
};

/// In an arithmetic with more digits, and about the mean.
template <class T>
found<T> by_a_loop(const std::vector<T>& values) {
  found<T> all;
  all.min.position = all.max.position = std::int64_t(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = number<T>(values[i]);
    if (x != x) continue;
    if (all.count == 0 || x < number<T>(all.min.value)) all.min = {values[i], std::int64_t(i)};
    if (all.count == 0 || x > number<T>(all.max.value)) all.max = {values[i], std::int64_t(i)};
    ++all.count;
    all.sum += x;
  }
  using wide = long double;
  wide mean = 0, squares = 0;  // less the minimum, so that 64-bit integers keep all their digits
  const auto each_distance = [&](const auto& use) {
    for (const T& value : values) {
      if (number<T>(value) == number<T>(value)) use(wide(number<T>(value)) - wide(number<T>(all.min.value)));
    }
  };
  each_distance([&](wide d) { mean += d / wide(all.count); });
  each_distance([&](wide d) { squares += (d - mean) * (d - mean); });
  all.deviations = double(squares);
  return all;
}

template <class T>
bool agree(const summary<T>& a, const found<T>& b) {
  const bool is_sum_right = std::is_integral_v<T> ? a.sum() == b.sum : close(double(a.sum()), double(b.sum));
  const bool is_found = b.count > 0;
  return a.count == b.count && is_sum_right && (!is_found || close(a.deviations(), b.deviations)) &&
         a.min.position == b.min.position && a.max.position == b.max.position &&
         (!is_found ||
          (number<T>(a.min.value) == number<T>(b.min.value) && number<T>(a.max.value) == number<T>(b.max.value)));
}

void test_distances() {
  constexpr std::int64_t low = INT64_MIN, high = INT64_MAX;
  EXPECT(describe::distance(high, low) == 18446744073709551615.0);
  EXPECT(describe::distance(low, high) == -18446744073709551615.0);
  EXPECT(describe::distance(high, high - 3) == 3.0);
  EXPECT(describe::distance(std::uint64_t{2}, std::uint64_t{5}) == -3.0);
  EXPECT(describe::distance(INT32_MIN, INT32_MAX) == -4294967295.0);
}

/// The shares of elements of which some are missing.
void test_shares() {
  using gpuprim::tuple;
  EXPECT((describe::share_of_sums<float>{2}(5) == tuple{3.0, 9.0}));
  EXPECT((describe::share_of_sums<float>{2}(NAN) == tuple{0.0, 0.0}));
  EXPECT((describe::share_of_sums<double>{2}(5) == tuple{5.0, 3.0, 9.0}));
  EXPECT((describe::share_of_sums<double>{2}(NAN) == tuple{0.0, 0.0, 0.0}));
  EXPECT((describe::share_of_sums<int>{7}(5) == tuple{gpuprim::int128{5}, -2.0, 4.0}));
}

void test_pivots() {
  const auto pivot_of = [](const std::vector<double>& values) {
    return describe::find_pivot<double>(std::int64_t(values.size()),
                                        [&](std::int64_t i) { return values[std::size_t(i)]; });
  };
  EXPECT(pivot_of({7}) == 7);
  EXPECT(pivot_of({9, NAN, 1, INFINITY, 5, -INFINITY}) == 5);
  EXPECT(pivot_of({NAN, INFINITY}) == 0);
  // A sample of a column of any length reaches both its ends.
  std::int64_t first = -1, last = -1;
  const std::int64_t count = (std::int64_t{1} << 40) + 12345;
  (void)describe::find_pivot<std::int64_t>(count, [&](std::int64_t i) {
    if (first < 0) first = i;
    EXPECT(i > last && i < count);
    return last = i;
  });
  EXPECT(first == 0 && last > count - count / 4000);
}

template <class T>
summary<T> on_the_device(const std::vector<T>& values, number<T> pivot) {
  const std::size_t bytes = values.size() * sizeof(T);
  const describe::device_memory memory(bytes), out(sizeof(summary<T>));
  describe::check(cudaMemcpy(memory.as<void>(), values.data(), bytes, cudaMemcpyHostToDevice), "copy");
  describe::check(gpuprim::reduce_into(memory.as<const T>(), std::int64_t(values.size()),
                                       describe::places(out.as<summary<T>>()), describe::figures<T>(pivot)),
                  "the pass");
  summary<T> all;
  describe::check(cudaMemcpy(&all, out.as<void>(), sizeof all, cudaMemcpyDeviceToHost), "copy");
  all.pivot = pivot;
  return all;
}

/// Few different values above `base`, so that extremes occur more than once; among floats some NaN.
template <class T>
void test_pass(number<T> base = 0) {
  for (int n : {1, 33, 300, 5000, 70001}) {
    std::mt19937 random{unsigned(n)};
    std::vector<T> values;
    for (int i = 0; i < n; ++i) {
      values.push_back(T(number<T>(base + number<T>(random() % 50))));
      if constexpr (!std::is_integral_v<T>) {
        if (random() % 16 == 0) values.back() = T(NAN);
      }
    }
    EXPECT(agree(on_the_device<T>(values, number<T>(base + 20)), by_a_loop(values)));
  }
  // The lowest and highest values alone, whose sums and squares take the most bits, and nothing but NaN.
  using limits = std::numeric_limits<number<T>>;
  if constexpr (std::is_integral_v<T>) {
    for (T value : {limits::lowest(), limits::max()}) {
      std::vector<T> values(40000, value);
      EXPECT(agree(on_the_device<T>(values, value), by_a_loop(values)));
      values.back() = limits::max();
      EXPECT(agree(on_the_device<T>(values, T(1)), by_a_loop(values)));
    }
  } else {
    const std::vector<T> values(300, T(NAN));
    EXPECT(agree(on_the_device<T>(values, 0), by_a_loop(values)));
  }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// For types whose columns are read and joined as others are: not under ASan, where each takes long to compile.
template <class T>
void test_further_pass(number<T> base) {
  if constexpr (!sanitized) test_pass<T>(base);
}

}  // namespace

int main() {
  test_distances();
  test_shares();
  test_pivots();
  test_pass<std::int8_t>(60);
  test_further_pass<std::uint8_t>(200);
  test_pass<std::int16_t>(-32768);
  test_further_pass<std::uint16_t>(65000);
  test_further_pass<std::uint32_t>(4000000000u);
  test_pass<std::int64_t>(1700000000000000000);
  test_further_pass<std::uint64_t>(18000000000000000000u);
  test_pass<__half>(10);
  test_pass<float>(1e6f);
  test_further_pass<double>(1e9);
  return failures == 0 ? 0 : 1;
}
