// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operator and the iterator by themselves: identity, any grouping, any order, and the device against a
// plain loop.
#include "device.cuh"
#include "summary.cuh"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using describe::merge_summaries, describe::summary, describe::summary_iterator;

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
  return a.count == b.count && close(double(a.sum), double(b.sum)) && close(a.mean, b.mean) &&
         close(a.squares, b.squares) && a.min == b.min && a.max == b.max && a.min_at == b.min_at &&
         a.max_at == b.max_at;
}

template <class T>
std::vector<T> some_values(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values;
  // Few different values, so that extremes occur more than once.
  for (int i = 0; i < n; ++i) values.push_back(T(int(random() % 50) + 10));
  return values;
}

template <class T>
summary<T> fold(const std::vector<T>& values, std::int64_t first, std::int64_t last) {
  const summary_iterator<T> elements(values.data());
  summary<T> all;
  for (std::int64_t i = first; i < last; ++i) all = merge_summaries{}(all, elements[i]);
  return all;
}

/// The textbook's two passes.
template <class T>
summary<T> by_two_passes(const std::vector<T>& values) {
  summary<T> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(double(values[i]))) continue;
    ++all.count;
    all.sum += values[i];
    if (values[i] < all.min || all.count == 1) all.min = values[i], all.min_at = std::int64_t(i);
    if (values[i] > all.max || all.count == 1) all.max = values[i], all.max_at = std::int64_t(i);
  }
  all.mean = double(all.sum) / double(all.count);
  for (T value : values) {
    if (!std::isnan(double(value))) all.squares += (double(value) - all.mean) * (double(value) - all.mean);
  }
  return all;
}

template <class T>
void test_laws() {
  const merge_summaries merge;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::vector<T> values = some_values<T>(60, seed);
    if constexpr (std::is_floating_point_v<T>) values[7] = values[31] = T(NAN);
    const summary<T> a = fold(values, 0, 11), b = fold(values, 11, 12), c = fold(values, 12, 60);
    EXPECT(agree(merge(merge(a, b), c), merge(a, merge(b, c))));
    EXPECT(agree(merge(merge(a, b), c), by_two_passes(values)));
    EXPECT(agree(merge(c, merge(b, a)), by_two_passes(values)));
    EXPECT(agree(merge(summary<T>{}, a), a));
    EXPECT(agree(merge(a, summary<T>{}), a));
  }
  EXPECT(merge(summary<T>{}, summary<T>{}).count == 0);
  EXPECT(merge(summary<T>{}, summary<T>{}).mean == 0);
}

template <class T>
void test_on_the_device() {
  for (int n : {1, 33, 300, 5000, 70001}) {
    std::vector<T> values = some_values<T>(n, unsigned(n));
    if constexpr (std::is_floating_point_v<T>) {
      for (std::size_t i = 1; i < values.size(); i += 17) values[i] = T(NAN);
    }
    const describe::device_memory memory(values.size() * sizeof(T));
    describe::check(
        cudaMemcpy(memory.as<void>(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
        "copy");
    const summary_iterator<T> elements(memory.as<const T>());
    EXPECT(agree(gpuprim::reduce_value(elements, n, merge_summaries{}, summary<T>{}), by_two_passes(values)));
    // From an iterator that has been moved on, positions still count from the start of the array.
    const summary<T> rest =
        gpuprim::reduce_value(elements + n / 3, n - n / 3, merge_summaries{}, summary<T>{});
    EXPECT(agree(rest, fold(values, n / 3, n)));
  }
}

}  // namespace

int main() {
  static_assert(std::random_access_iterator<summary_iterator<float>>);
  test_laws<std::int8_t>();
  test_laws<std::int64_t>();
  test_laws<std::uint64_t>();
  test_laws<double>();
  test_on_the_device<std::int16_t>();
  test_on_the_device<std::uint64_t>();
  test_on_the_device<float>();
  return failures == 0 ? 0 : 1;
}
