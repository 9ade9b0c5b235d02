// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The oracle of every scan, one value after the other.
#include "device.cuh"
#include "types.cuh"

namespace test {

/// The first value is number `first`.
template <class T>
std::vector<T> make_values(int count, int first = 0) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) values.push_back(make_value<T>(std::uint64_t(std::int64_t(first + i))));
  return values;
}

/// What stands before value number `first`, as an initial value for which the order of positions holds.
template <class T>
T make_start(int first) {
  return make_value<T>(std::uint64_t(std::int64_t(first - 1)));
}

template <class T, class Op>
std::vector<T> scan_inclusive(std::vector<T> values, Op op) {
  for (std::size_t i = 1; i < values.size(); ++i) values[i] = op(values[i - 1], values[i]);
  return values;
}

template <class T, class Op>
std::vector<T> scan_exclusive(std::vector<T> values, Op op, T start) {
  for (T& v : values) {
    const T next = op(start, v);
    v = start;
    start = next;
  }
  return values;
}

/// How many of the first `count` of some results, from number `from` on, are not what they must be.
template <class T>
int count_wrong(const std::vector<T>& got, std::size_t from, const std::vector<T>& want, int count) {
  int wrong = 0;
  for (std::size_t i = 0; i < std::size_t(count); ++i) wrong += !(got[from + i] == want[i]);
  return wrong;
}
template <class T>
int count_wrong(const std::vector<T>& got, std::size_t from, const T& want, int count) {
  return count_wrong(got, from, std::vector<T>(std::size_t(count), want), count);
}

}  // namespace test
