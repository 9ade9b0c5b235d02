// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a histogram counts by: the public descriptions of bins, and what finds the bin of a sample, from 0 to count - 1,
// or `count` for one that is outside of all. `make` says whether the bins are well described; of even bins that are
// not, all samples are outside.
#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/half_precision.hpp>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// `count` bins of one width from `lower` up to but without `upper`.
template <class Level>
struct even_bins {
  /// The number of bins.
  int count;
  Level lower,  ///< where the first bin begins
      upper;    ///< where the last bin ends
};
template <class Lower, class Upper>
even_bins(int, Lower, Upper) -> even_bins<std::common_type_t<Lower, Upper>>;

/// `count` bins between count + 1 levels in device memory that never decrease: bin i holds the samples from levels[i]
/// up to but without levels[i + 1].
template <class Level>
struct bin_ranges {
  /// The count + 1 levels.
  const Level* levels;
  /// The number of bins.
  int count;
};
template <class Level>
bin_ranges(const Level*, int) -> bin_ranges<Level>;
template <class Level>
bin_ranges(Level*, int) -> bin_ranges<Level>;

namespace detail {

/// What 16-bit floating samples and levels are compared as; other types as themselves.
template <class T>
using widened = std::conditional_t<is_half_precision<T>, float, T>;
template <class Sample, class Level>
using bin_type = std::common_type_t<widened<Sample>, widened<Level>>;
template <class Common, class T>
GPUPRIM_HOST_DEVICE constexpr Common compared_as(const T& value) {
  return static_cast<Common>(detail::convertible<Common>(value));
}

/// True where a negative sample would become a large one.
template <class Sample, class Common>
inline constexpr bool loses_sign = std::is_signed_v<Sample> && std::is_integral_v<Sample> && std::is_unsigned_v<Common>;

template <class T>
GPUPRIM_HOST_DEVICE constexpr bool is_negative(T value) {
  if constexpr (std::is_signed_v<T>) return value < 0;
  else return false;
}

/// The even bin of a floating sample: (sample - lower) * (count / (upper - lower)) in type `Common`, without its
/// fraction. A rounding up to `count` stays in the last bin.
template <class Sample, class Common>
struct even_finder {
  static constexpr Common most = (std::numeric_limits<Common>::max)();

  Common lower, bins_per_unit;
  Common begin_of_first, end_of_last;  ///< bounds of the samples that are in a bin
  int last, outside;

  template <class Level>
  GPUPRIM_HOST_DEVICE static bool make(const even_bins<Level>& bins, even_finder& made) {
    const auto lower = detail::compared_as<Common>(bins.lower), upper = detail::compared_as<Common>(bins.upper);
    made = {lower, static_cast<Common>(bins.count) / (upper - lower), lower, upper, bins.count - 1, bins.count};
    const bool good = lower < upper && upper - lower <= most && made.bins_per_unit > 0 && made.bins_per_unit <= most;
    if (!good) made.end_of_last = lower;
    return good;
  }
  /// Finds only `count` of the bins from `first` on.
  void restrict_to(int first, int count) {
    const Common begin = find_begin(first), end = find_begin(first + count);
    begin_of_first = begin;
    end_of_last = end;
    outside = first + count;
  }
  static constexpr bool counts_from_first = false;  ///< whether the first of the bins that are found has the number 0
  __device__ void begin(int) {}
  __device__ __forceinline__ int operator()(const Sample& sample) const {
    const auto s = detail::compared_as<Common>(sample);
    const int bin = ptx::truncate((s - lower) * bins_per_unit);
    return s >= begin_of_first && s < end_of_last ? bin < last ? bin : last : outside;
  }

 private:
  /// The least sample of a bin, between one that is before it and one that is not.
  Common find_begin(int bin) const {
    Common before = begin_of_first, after = end_of_last;
    if (bin == 0 || bin > last) return bin == 0 ? before : after;
    for (;;) {
      const Common middle = before + (after - before) / 2;
      if (middle == before || middle == after) return after;
      if ((middle - lower) * bins_per_unit < Common(bin)) before = middle;
      else after = middle;
    }
  }
};

/// True if even bins of integers have bounds in order, which their common type holds.
template <class Common, class Level>
GPUPRIM_HOST_DEVICE constexpr bool is_in_order(const even_bins<Level>& bins) {
  const auto lower = detail::compared_as<Common>(bins.lower), upper = detail::compared_as<Common>(bins.upper);
  return lower < upper && is_negative(bins.lower) == is_negative(lower);
}

/// Where an even bin of integers begins: at the least x with x * count / range >= bin.
GPUPRIM_HOST_DEVICE constexpr std::uint64_t find_even_begin(std::uint64_t range, std::uint64_t count,
                                                            std::uint64_t bin) {
  return range / count * bin + (range % count * bin + count - 1) / count;
}

/// The even bin of an integer: (sample - lower) * count / (upper - lower), exactly. With x = sample - lower and the
/// fraction f of count / range, rounded up to a multiple of 2^-64, floor(x * f) is right because x is too small for the
/// rounding to reach the next multiple of 1 / range.
template <class Sample, class Common>
  requires(std::is_integral_v<Common> && sizeof(Common) <= 4)
struct even_finder<Sample, Common> {
  std::uint32_t lower, range, whole, high, low;
  std::uint32_t begin_of_first, span;  ///< of the x that are in a bin
  int outside;

  template <class Level>
  GPUPRIM_HOST_DEVICE static bool make(const even_bins<Level>& bins, even_finder& made) {
    made = {};
    made.outside = bins.count;
    if (!is_in_order<Common>(bins)) return false;
    const auto lower = detail::compared_as<Common>(bins.lower), upper = detail::compared_as<Common>(bins.upper);
    const auto count = std::uint32_t(bins.count);
    const std::uint32_t range = std::uint32_t(upper) - std::uint32_t(lower);
    const std::uint64_t shifted = std::uint64_t{count % range} << 32, rest = shifted % range << 32;
    made = {std::uint32_t(lower),
            range,
            count / range,
            std::uint32_t(shifted / range),
            std::uint32_t(rest / range + (rest % range != 0)),
            0,
            range,
            bins.count};
    return true;
  }
  void restrict_to(int first, int count) {
    const auto all = std::uint32_t(outside);
    begin_of_first = std::uint32_t(find_even_begin(range, all, std::uint32_t(first)));
    span = std::uint32_t(find_even_begin(range, all, std::uint32_t(first + count))) - begin_of_first;
    outside = first + count;
  }
  static constexpr bool counts_from_first = false;
  __device__ void begin(int) {}
  __device__ __forceinline__ int operator()(Sample sample) const {
    const std::uint32_t x = std::uint32_t(detail::compared_as<Common>(sample)) - lower;
    const std::uint64_t parts = std::uint64_t{x} * high + __umulhi(x, low);
    const bool is_outside = !(x - begin_of_first < span) || (loses_sign<Sample, Common> && is_negative(sample));
    return is_outside ? outside : int(x * whole + std::uint32_t(parts >> 32));
  }
};

/// The even bin of a 64-bit integer: the fraction is rounded down, which gives the bin or the one before it, and the
/// remainder tells which.
template <class Sample, class Common>
  requires(std::is_integral_v<Common> && sizeof(Common) == 8)
struct even_finder<Sample, Common> {
  using word = unsigned long long;
  word lower, range, fraction, begin_of_first, span;
  std::uint32_t count, whole;
  int outside;

  template <class Level>
  GPUPRIM_HOST_DEVICE static bool make(const even_bins<Level>& bins, even_finder& made) {
    made = {};
    made.outside = bins.count;
    if (!is_in_order<Common>(bins)) return false;
    const auto lower = detail::compared_as<Common>(bins.lower), upper = detail::compared_as<Common>(bins.upper);
    const word count = word(bins.count), range = word(upper) - word(lower);
    word rest = count % range, fraction = 0;
    for (int bit = 0; bit < 64; ++bit) {  // long division; the remainder may need a 65th bit
      const bool fits = rest >= range - rest;
      rest = fits ? rest - (range - rest) : 2 * rest;
      fraction = 2 * fraction + fits;
    }
    made = {word(lower), range, fraction, 0, range, std::uint32_t(count), std::uint32_t(count / range), bins.count};
    return true;
  }
  void restrict_to(int first, int how_many) {
    begin_of_first = find_even_begin(range, count, std::uint32_t(first));
    span = find_even_begin(range, count, std::uint32_t(first + how_many)) - begin_of_first;
    outside = first + how_many;
  }
  static constexpr bool counts_from_first = false;
  __device__ void begin(int) {}
  __device__ __forceinline__ int operator()(Sample sample) const {
    const word x = word(detail::compared_as<Common>(sample)) - lower;
    if (!(x - begin_of_first < span) || (loses_sign<Sample, Common> && is_negative(sample))) return outside;
    const word bin = x * whole + __umul64hi(x, fraction);
    const word product = x * count, below = bin * range, rest = product - below;
    const bool carries = __umul64hi(x, count) - __umul64hi(bin, range) - (product < below) != 0;
    return int(bin + (carries || rest >= range));
  }
};

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
