// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line that is printed for a column.
#pragma once

#include "summary.cuh"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

namespace describe {

/// `digits` significant digits; never the "-nan" that an x86 makes of 0.0 / 0.0.
inline std::string rounded(double value, int digits) {
  if (std::isnan(value)) return "nan";
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/// Every digit: an integer as it is, a float by the fewest digits that read back as the same value.
template <class T>
std::string exact(T value) {
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// A sum: every digit of an integer (of 128 bits too), 12 digits of a double, which the order of adding
/// cannot change in a column of reasonable values.
template <class Sum>
std::string sum_text(Sum sum) {
  if constexpr (std::is_same_v<Sum, double>) {
    return rounded(sum, 12);
  } else {
    std::string digits;
    for (Sum rest = sum; rest != 0 || digits.empty(); rest /= 10) {
      const int digit = int(rest % 10);  // negative where the sum is: its negation might not exist
      digits.insert(digits.begin(), char('0' + (digit < 0 ? -digit : digit)));
    }
    return sum < 0 ? "-" + digits : digits;
  }
}

/// `n` is the column's length, NaN included. The standard deviation is the sample's: divided by count - 1.
template <class T>
std::string report_line(const std::string& name, const summary<T>& s, std::int64_t n) {
  const double nan = std::nan("");
  const auto sum = s.sum();
  const double mean = s.count > 0 ? double(sum) / double(s.count) : nan;
  const double deviation = s.count > 1 ? std::sqrt(s.deviations() / double(s.count - 1)) : nan;
  std::string line = name + ": n " + exact(s.count) + ", sum " + sum_text(sum) + ", mean " + rounded(mean, 10) +
                     ", std " + rounded(deviation, 7);
  if (s.count > 0) {
    line += ", min " + exact(number<T>(s.min.value)) + " at " + exact(s.min.position) + ", max " +
            exact(number<T>(s.max.value)) + " at " + exact(s.max.position);
  } else {
    line += ", min none, max none";
  }
  return std::is_integral_v<T> ? line : line + ", nan " + exact(n - s.count);
}

}  // namespace describe
