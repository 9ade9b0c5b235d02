// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operator, the iterator and the pivot by themselves, and the device against a plain loop.
#include "device.cuh"
#include "pivot.hpp"
#include "summary.cuh"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using describe::merge_summaries, describe::number, describe::summary, describe::summary_iterator;

int failures = 0;

void expect(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b)); }

template <class T>
bool agree(const summary<T>& a, const summary<T>& b) {
  return a.count == b.count && close(double(a.sum), double(b.sum)) && close(a.offset, b.offset) &&
         close(a.squares, b.squares) && a.min == b.min && a.max == b.max && a.min_at == b.min_at &&
         a.max_at == b.max_at;
}

/// Few different values, so that extremes occur more than once; among floats some NaN.
template <class T>
std::vector<T> some_values(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values;
  for (int i = 0; i < n; ++i) {
    const bool missing = random() % 16 == 0 && std::is_floating_point_v<T>;
    values.push_back(missing ? std::numeric_limits<T>::quiet_NaN() : T(int(random() % 50) + 10));
  }
  return values;
}

/// Elements [first, last) one by one.
template <class T>
summary<T> by_a_loop(const std::vector<T>& values, int first, int last, T pivot) {
  summary<T> all;
  for (int i = first; i < last; ++i) {
    const T x = values[std::size_t(i)];
    if (x != x) continue;
    if (all.count == 0 || x < all.min) all.min = x, all.min_at = i;
    if (all.count == 0 || x > all.max) all.max = x, all.max_at = i;
    const double d = double(x) - double(pivot);
    ++all.count;
    all.sum += x;
    all.offset += d;
    all.squares += d * d;
  }
  return all;
}

template <class T>
void test_laws() {
  const merge_summaries merge;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<T> values = some_values<T>(60, seed);
    const T pivot = T(30);
    const summary<T> a = by_a_loop(values, 0, 11, pivot), b = by_a_loop(values, 11, 12, pivot);
    const summary<T> c = by_a_loop(values, 12, 60, pivot), all = by_a_loop(values, 0, 60, pivot);
    EXPECT(agree(merge(merge(a, b), c), all));
    EXPECT(agree(merge(a, merge(b, c)), all));
    EXPECT(agree(merge(c, merge(b, a)), all));
    EXPECT(agree(merge(summary<T>{}, a), a));
    EXPECT(agree(merge(a, summary<T>{}), a));
  }
  EXPECT(agree(merge(summary<T>{}, summary<T>{}), summary<T>{}));
}

/// A chunk of any number of elements, at any position.
template <class T>
void test_chunks() {
  constexpr int size = gpuprim::elements_per_load<T>;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<T> values = some_values<T>(3 * size, seed);
    const T pivot = T(25);
    describe::chunk<T> middle;
    for (int i = 0; i < size; ++i) middle[i] = values[std::size_t(size + i)];
    for (int present = 1; present <= size; ++present) {
      EXPECT(agree(describe::summary_of<T>(middle, present, size, pivot),
                   by_a_loop(values, size, size + present, pivot)));
    }
  }
}

void test_distances() {
  constexpr std::int64_t low = INT64_MIN, high = INT64_MAX;
  EXPECT(describe::distance(high, low) == 18446744073709551615.0);
  EXPECT(describe::distance(low, high) == -18446744073709551615.0);
  EXPECT(describe::distance(high, high - 3) == 3.0);
  EXPECT(describe::distance(std::uint64_t{2}, std::uint64_t{5}) == -3.0);
  EXPECT(describe::distance(std::int8_t{-128}, std::int8_t{127}) == -255.0);
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
void test_on_the_device() {
  constexpr int chunk = gpuprim::elements_per_load<T>;
  for (int n : {1, 33, 300, 5000, 70001}) {
    const std::vector<T> values = some_values<T>(n, unsigned(n));
    const std::size_t bytes = values.size() * sizeof(T);
    const describe::device_memory memory(bytes + gpuprim::load_bytes);
    describe::check(cudaMemset(memory.as<char>() + bytes, 0, gpuprim::load_bytes), "memset");
    describe::check(cudaMemcpy(memory.as<void>(), values.data(), bytes, cudaMemcpyHostToDevice), "copy");
    const T pivot = T(40);
    const summary_iterator<T> parts(memory.as<const T>(), n, pivot);
    EXPECT(agree(gpuprim::reduce_value(parts, parts.chunks(), merge_summaries{}),
                 by_a_loop(values, 0, n, pivot)));
    // From an iterator that has been moved on, positions still count from the start of the array.
    const std::int64_t skipped = parts.chunks() / 3;
    EXPECT(agree(gpuprim::reduce_value(parts + skipped, parts.chunks() - skipped, merge_summaries{}),
                 by_a_loop(values, int(skipped) * chunk, n, pivot)));
  }
}

}  // namespace

int main() {
  static_assert(std::random_access_iterator<summary_iterator<float>>);
  test_laws<std::int8_t>();
  test_laws<std::int64_t>();
  test_laws<std::uint64_t>();
  test_laws<double>();
  test_chunks<std::int8_t>();
  test_chunks<std::int16_t>();
  test_chunks<std::uint32_t>();
  test_chunks<std::int64_t>();
  test_chunks<float>();
  test_chunks<double>();
  test_distances();
  test_pivots();
  test_on_the_device<std::int16_t>();
  test_on_the_device<std::uint64_t>();
  test_on_the_device<float>();
  return failures == 0 ? 0 : 1;
}
