// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Searches for many values against those of the standard library.
#include "device.cuh"
#include "merge_check.cuh"
#include "types.cuh"

#include <gpuprim/device/sorted_search.cuh>

#include <algorithm>
#include <functional>
#include <vector>

namespace test {

namespace detail = gpuprim::detail;

/// A number that no bulk copy brings.
struct long_number {
  int value, more[2] = {};
  GPUPRIM_HOST_DEVICE explicit long_number(int v = 0) : value(v) {}
  friend GPUPRIM_HOST_DEVICE bool operator<(const long_number& a, const long_number& b) { return a.value < b.value; }
  friend bool operator==(const long_number&, const long_number&) = default;
  friend std::ostream& operator<<(std::ostream& o, const long_number& x) { return o << x.value; }
};

template <class T>
std::vector<T> make_numbers(int n, int different) {
  std::vector<T> sorted;
  for (int i = 0; i < n; ++i) {
    sorted.push_back(static_cast<T>(int(test::scramble(std::uint64_t(i)) % unsigned(different))));
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// The four searches, the ones for sorted values with tiles of `Policy`, against those of the standard library.
template <gpuprim::merge_policy Policy, class T, class Value>
void check_bounds(const std::vector<T>& sorted, const std::vector<Value>& values) {
  CAPTURE(sorted.size(), values.size());
  const std::int64_t n = std::int64_t(sorted.size()), count = std::int64_t(values.size());
  std::vector<std::int64_t> low;
  std::vector<int> high;
  for (const Value& value : values) {
    low.push_back(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
    high.push_back(int(std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
  }
  const bool are_sorted = std::is_sorted(values.begin(), values.end());
  const test::device_array<T> in(sorted, sizeof(T));
  const test::device_array<Value> wanted(values, sizeof(Value));
  const gpuprim::options how;
  const detail::comes_before less;
  for (const bool of_sorted : {false, true}) {
    CAPTURE(of_sorted);
    test::device_array<std::int64_t> lower(values.size());
    test::device_array<int> upper(values.size());
    if (of_sorted) {
      CUDA_OK(detail::find_bounds_of_sorted<Policy, detail::bound::lower>(in.data(), n, wanted.data(), count,
                                                                          lower.data(), less, how)
                  .report());
      CUDA_OK(detail::find_bounds_of_sorted<Policy, detail::bound::upper>(in.data(), n, wanted.data(), count,
                                                                          upper.data(), less, how)
                  .report());
    } else {
      CUDA_OK(gpuprim::lower_bound(in.data(), n, wanted.data(), count, lower.data()));
      CUDA_OK(gpuprim::upper_bound(in.data(), n, wanted.data(), count, upper.data()));
    }
    if (are_sorted || !of_sorted) {
      CHECK(bool(lower.download() == low));
      CHECK(bool(upper.download() == high));
    }  // else they are unspecified, in their arrays
    in.check_unchanged();
    wanted.check_unchanged();
    lower.check_guards();
    upper.check_guards();
  }
}

template <gpuprim::merge_policy Policy, class T>
void check_orders(int n, int different, int count, int sought) {
  const auto sorted = make_numbers<T>(n, different);
  auto values = make_numbers<T>(count, sought);
  check_bounds<Policy>(sorted, values);
  if (count > 10) std::swap(values[std::size_t(count / 2)], values[std::size_t(count - 1)]);
  check_bounds<Policy>(sorted, values);
  std::reverse(values.begin(), values.end());
  check_bounds<Policy>(sorted, values);
  for (std::size_t i = 0; i < values.size(); ++i) std::swap(values[i], values[test::scramble(i) % values.size()]);
  check_bounds<Policy>(sorted, values);
}

}  // namespace test
