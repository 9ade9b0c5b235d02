// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pass over a column leaves, and the figures that follow from it.
#pragma once

#include <gpuprim/extrema.cuh>

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace describe {

using gpuprim::int128, gpuprim::tuple;

/// The type that an element is computed with: half is read as float.
template <class T>
using number = std::conditional_t<std::is_same_v<T, __half>, float, T>;

template <class T>
inline constexpr bool is_short = std::is_integral_v<T> && sizeof(T) <= 2;
template <class T>
inline constexpr bool is_narrow_float = !std::is_integral_v<T> && sizeof(T) < sizeof(double);

/// The type of a column's sum. It is exact for integers: one- and two-byte elements cannot overflow 64 bits
/// in fewer than 2^47 elements, wider ones cannot overflow 128 bits at all.
template <class T>
using sum_of = std::conditional_t<is_short<T>, std::int64_t, std::conditional_t<std::is_integral_v<T>, int128, double>>;

/// Of short integers the sum and the sum of squares. Of others the sums of the distances from a pivot (see
/// pivot.hpp) and of their squares; the sum follows from the former, but for doubles and wide integers, whose
/// distances may overflow or be rounded, it stands in front.
template <class T>
using sums_of =
    std::conditional_t<is_short<T>, tuple<sum_of<T>, int128>,
                       std::conditional_t<is_narrow_float<T>, tuple<double, double>, tuple<sum_of<T>, double, double>>>;

template <class T>
struct summary {
  std::int64_t count;  ///< elements that are numbers: NaN is a missing value
  sums_of<T> sums;
  gpuprim::extremum<T> min, max;
  number<T> pivot;

  sum_of<T> sum() const {
    if constexpr (is_narrow_float<T>) return std::fma(double(count), double(pivot), sums.first);
    else return sums.first;
  }
  /// The sum of the squares of the distances from the mean.
  double deviations() const {
    constexpr std::size_t last = std::tuple_size_v<sums_of<T>> - 1;
    const auto offset = get<last - 1>(sums);
    const auto squares = get<last>(sums);
    if constexpr (is_short<T>) return double(count * squares - int128{offset} * offset) / double(count);
    else return std::max(squares - offset / double(count) * offset, 0.0);  // rounding may leave less than 0
  }
};

}  // namespace describe
