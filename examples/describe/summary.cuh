// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operator of this program: two summaries of parts of a column make the summary of both. With an iterator
// that makes a summary of each element, one gpuprim::reduce computes every figure in one pass.
#pragma once

#include <gpuprim/reduce.cuh>

#include <cuda_fp16.h>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

namespace describe {

__extension__ typedef __int128 int128;

/// The type of a column's sum. It is exact for integers: one- and two-byte elements cannot overflow 64 bits
/// in fewer than 2^47 elements, wider ones cannot overflow 128 bits at all.
template <class T>
using sum_of = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<(sizeof(T) <= 2), std::int64_t, int128>>;

/// The smallest and largest bounds of T, as constants because device code may use those.
template <class T>
struct bounds {
  using limits = std::numeric_limits<T>;
  static constexpr T lowest = limits::has_infinity ? -limits::infinity() : limits::lowest();
  static constexpr T highest = limits::has_infinity ? limits::infinity() : limits::max();
};

/// What is known of some elements of a column. As it starts out, it is the summary of none: the operator's
/// identity. The pivot is one value for the whole column, near its middle (see pivot.hpp).
template <class T>
struct summary {
  static constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

  std::int64_t count = 0;  ///< elements that are numbers: NaN is a missing value
  sum_of<T> sum = 0;
  double offset = 0;   ///< sum of the distances from the pivot
  double squares = 0;  ///< sum of their squares
  T min = bounds<T>::highest;
  T max = bounds<T>::lowest;
  std::int64_t min_at = nowhere;  ///< position of the first minimum
  std::int64_t max_at = nowhere;
};

/// Merges two summaries. Equal extremes are told apart by position, so the operator commutes and the reduce
/// need not keep the order.
struct merge_summaries {
  template <class T>
  GPUPRIM_HOST_DEVICE summary<T> operator()(const summary<T>& a, const summary<T>& b) const {
    const bool low = (b.min < a.min) | ((b.min == a.min) & (b.min_at < a.min_at));
    const bool high = (b.max > a.max) | ((b.max == a.max) & (b.max_at < a.max_at));
    return {a.count + b.count,   a.sum + b.sum,        a.offset + b.offset,       a.squares + b.squares,
            low ? b.min : a.min, high ? b.max : a.max, low ? b.min_at : a.min_at, high ? b.max_at : a.max_at};
  }
};

/// The type that an element is compared in: half is read as float.
template <class T>
using number = std::conditional_t<std::is_same_v<T, __half>, float, T>;

/// x - pivot, rounded once at most: two 64-bit integers may be further apart than a 64-bit integer says.
template <class T>
GPUPRIM_HOST_DEVICE double distance(T x, T pivot) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const bool above = x >= pivot;
    const std::uint64_t gap =
        above ? std::uint64_t(x) - std::uint64_t(pivot) : std::uint64_t(pivot) - std::uint64_t(x);
    return above ? double(gap) : -double(gap);
  } else {
    return double(x) - double(pivot);
  }
}

/// What one 16-byte load brings.
template <class T>
using chunk = gpuprim::uninitialized_array<T, gpuprim::elements_per_load<T>>;

/// The summary of the first `present` elements of a chunk that begins at position `first`.
template <class T>
GPUPRIM_HOST_DEVICE summary<number<T>> summary_of(const chunk<T>& elements, int present, std::int64_t first,
                                                  number<T> pivot) {
  using value = number<T>;
  // Within a chunk, distances of short integers and their squares are small integers.
  constexpr bool is_short = std::is_integral_v<T> && sizeof(T) <= 2;
  std::conditional_t<is_short, int, sum_of<value>> sum = 0;
  std::conditional_t<is_short, int, double> offset = 0;
  std::conditional_t<is_short, std::int64_t, double> squares = 0;
  value min = bounds<value>::highest, max = bounds<value>::lowest;
  int count = 0, min_at = 0, max_at = 0;
  // No branches: they would keep the loads of several chunks from overlapping.
  for (int i = 0; i < gpuprim::elements_per_load<T>; ++i) {
    const value x = value(elements[i]);
    const bool valid = (i < present) & (x == x);
    const bool low = valid & ((x < min) | (count == 0)), high = valid & ((x > max) | (count == 0));
    min = low ? x : min;
    max = high ? x : max;
    min_at = low ? i : min_at;
    max_at = high ? i : max_at;
    count += valid;
    sum += valid ? x : value(0);
    if constexpr (is_short) {
      const int d = valid ? int(x) - int(pivot) : 0;
      offset += d;
      squares += std::int64_t{d} * d;
    } else {
      const double d = valid ? distance(x, pivot) : 0.0;
      offset += d;
      squares += d * d;
    }
  }
  constexpr std::int64_t nowhere = summary<value>::nowhere;
  return {count,
          sum,
          double(offset),
          double(squares),
          min,
          max,
          count ? first + min_at : nowhere,
          count ? first + max_at : nowhere};
}

/// Shows an array as a sequence of summaries of 16 bytes each, made when they are read.
template <class T>
class summary_iterator {
 public:
  using value_type = summary<number<T>>;
  using difference_type = std::int64_t;
  using reference = value_type;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  static constexpr int chunk_size = gpuprim::elements_per_load<T>;

  summary_iterator() = default;
  /// @pre `elements` is aligned to 16 bytes, and can be read up to the next multiple of 16 bytes.
  GPUPRIM_HOST_DEVICE summary_iterator(const T* elements, std::int64_t count, number<T> pivot)
      : elements_(elements), count_(count), pivot_(pivot) {}

  /// Summaries in all.
  GPUPRIM_HOST_DEVICE std::int64_t chunks() const { return (count_ + chunk_size - 1) / chunk_size; }

  __device__ value_type operator*() const {
    const std::int64_t first = at_ * chunk_size, rest = count_ - first;
    return summary_of<T>(gpuprim::load_vector(elements_ + first), rest < chunk_size ? int(rest) : chunk_size,
                         first, pivot_);
  }
  __device__ value_type operator[](std::int64_t i) const { return *(*this + i); }

  GPUPRIM_HOST_DEVICE summary_iterator& operator+=(std::int64_t i) { return at_ += i, *this; }
  GPUPRIM_HOST_DEVICE summary_iterator& operator-=(std::int64_t i) { return at_ -= i, *this; }
  GPUPRIM_HOST_DEVICE summary_iterator& operator++() { return *this += 1; }
  GPUPRIM_HOST_DEVICE summary_iterator& operator--() { return *this -= 1; }
  GPUPRIM_HOST_DEVICE summary_iterator operator++(int) { return ++at_, *this - 1; }
  GPUPRIM_HOST_DEVICE summary_iterator operator--(int) { return --at_, *this + 1; }
  GPUPRIM_HOST_DEVICE friend summary_iterator operator+(summary_iterator it, std::int64_t i) {
    return it += i;
  }
  GPUPRIM_HOST_DEVICE friend summary_iterator operator+(std::int64_t i, summary_iterator it) {
    return it += i;
  }
  GPUPRIM_HOST_DEVICE friend summary_iterator operator-(summary_iterator it, std::int64_t i) {
    return it -= i;
  }
  GPUPRIM_HOST_DEVICE friend std::int64_t operator-(summary_iterator a, summary_iterator b) {
    return a.at_ - b.at_;
  }
  GPUPRIM_HOST_DEVICE friend bool operator==(summary_iterator a, summary_iterator b) {
    return a.at_ == b.at_;
  }
  GPUPRIM_HOST_DEVICE friend auto operator<=>(summary_iterator a, summary_iterator b) {
    return a.at_ <=> b.at_;
  }

 private:
  const T* elements_ = nullptr;
  std::int64_t count_ = 0;
  std::int64_t at_ = 0;  ///< in chunks
  number<T> pivot_{};
};

}  // namespace describe

/// The library may join partial summaries in any order, and start from an empty one.
template <class T>
inline constexpr bool gpuprim::is_commutative<describe::merge_summaries, describe::summary<T>> = true;

template <class T>
struct gpuprim::identity_element<describe::merge_summaries, describe::summary<T>> {
  GPUPRIM_HOST_DEVICE static constexpr describe::summary<T> value() { return {}; }
};
