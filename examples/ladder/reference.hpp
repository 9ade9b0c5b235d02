// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the sums must be: hard inputs and the sum by recursion on the host.
#include "rung.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

namespace ladder {

/// The sum by recursive interleaved pairs: the upper half is added to the lower. Destroys its argument.
/// An odd number of values leaves the middle one for the next level.
template <class Acc>
Acc recursive_sum(std::vector<Acc>& values, std::size_t count) {
  if (count == 1) return values[0];
  const std::size_t half = count - count / 2;
  for (std::size_t i = 0; i + half < count; ++i) add_to(values[i], values[i + half]);
  return recursive_sum(values, half);
}

/// Values, their sum, and how far a right sum may be from it.
template <class T>
struct data_set {
  std::string name;
  std::vector<T> values;
  T sum;
  bool exact;               ///< every partial sum of them is exact, in any order
  double sum_of_sizes = 0;  ///< of the values without their signs; for inexact ones

  /// The error of a tree of h additions in a row is at most h u / (1 - h u) times the sum of the sizes, u = 2^-24
  /// (Higham, "Accuracy and stability of numerical algorithms"). The reference, a tree in double that is
  /// rounded once, adds to it. A chain of 2^24 additions is bounded by nothing.
  double tolerance(std::int64_t longest_chain) const {
    if (exact) return 0;
    constexpr double u = FLT_EPSILON / 2;
    const double hu = double(longest_chain) * u;
    if (hu >= 1) return std::numeric_limits<double>::infinity();
    const double of_reference = std::log2(double(values.size()) + 1) * DBL_EPSILON + u;
    return (hu / (1 - hu) + 1.01 * of_reference) * sum_of_sizes;
  }
  bool accepts(T got, std::int64_t longest_chain) const {
    if (exact) return got == sum;
    return std::fabs(double(got) - double(sum)) <= tolerance(longest_chain);  // not true of a NaN
  }
};

/// Bits without a pattern.
inline unsigned scrambled(unsigned i) {
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return i ^ i >> 16;
}

template <class T>
std::vector<T> make_values(int n, T (*value)(unsigned bits, int n)) {
  std::vector<T> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[std::size_t(i)] = value(scrambled(unsigned(i) + 1), n);
  return values;
}

/// Integers in which every lost, doubled or foreign element shows: the sizes of all add up to less than 2^24 wherever n
/// lets them, so that any part of them is summed exactly, and their sum is far from zero.
inline float whole_number(unsigned bits, int n) {
  const unsigned room = n < 1 << 24 ? (1u << 24) / unsigned(n) : 0;
  if (room > 0) return float(1 + bits % std::min(room, 100000u));
  if (n < 5 << 22) return bits % 4 == 0 ? -1.0f : 1.0f;  // a quarter of them: no part goes past 2^24
  return bits % (unsigned(n) >> 23) == 0 ? 1.0f : 0.0f;  // few enough ones among zeros
}
/// Real numbers of both signs, from 2^-10 to 2^10.
inline float real_number(unsigned bits, int) {
  const float size = std::ldexp(1 + float(bits >> 12) * 0x1p-20f, int(bits % 20) - 10);
  return bits >> 5 & 3 ? size : -size;
}
inline int any_int(unsigned bits, int) { return int(bits); }  // sums of these wrap

inline void make_data_sets(int n, std::vector<data_set<float>>& to) {
  for (const bool exact : {true, false}) {
    data_set<float> made{exact ? "whole numbers" : "real numbers", make_values(n, exact ? whole_number : real_number),
                         0, exact};
    std::vector<double> wide(made.values.begin(), made.values.end());
    made.sum = float(recursive_sum(wide, wide.size()));
    for (float v : made.values) made.sum_of_sizes += std::fabs(double(v));
    to.push_back(std::move(made));
  }
}
inline void make_data_sets(int n, std::vector<data_set<int>>& to) {
  data_set<int> made{"ints that wrap", make_values(n, any_int), 0, true};
  std::vector<int> copy = made.values;
  made.sum = recursive_sum(copy, copy.size());
  to.push_back(std::move(made));
}

}  // namespace ladder
