// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a histogram counts by: the public descriptions of bins, and what finds the bin of a sample, from 0 to count - 1, or
// `count` for one that is outside of all.
#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/ptx/sm_70.cuh>

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuprim {

/// `count` bins of one width from `lower` up to but without `upper`.
template <class Level>
struct even_bins {
  int count;
  Level lower, upper;
};
template <class Level>
even_bins(int, Level, Level) -> even_bins<Level>;

/// `count` bins between count + 1 levels in device memory that never decrease: bin i holds the samples from levels[i] up
/// to but without levels[i + 1].
template <class Level>
struct bin_ranges {
  const Level* levels;
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

/// True where a negative sample would become a large one.
template <class Sample, class Common>
inline constexpr bool loses_sign = std::is_signed_v<Sample> && std::is_integral_v<Sample> && std::is_unsigned_v<Common>;

template <class T>
GPUPRIM_HOST_DEVICE constexpr bool is_negative(T value) {
  if constexpr (std::is_signed_v<T>) return value < 0;
  else return false;
}

/// The even bin of a floating sample: (sample - lower) * (count / (upper - lower)) in type `Common`, without its fraction.
/// A rounding up to `count` stays in the last bin.
template <class Sample, class Common>
struct even_finder {
  Common lower, upper, bins_per_unit;
  int count;

  template <class Level>
  static bool make(const even_bins<Level>& bins, even_finder& made) {
    const auto lower = static_cast<Common>(bins.lower), upper = static_cast<Common>(bins.upper);
    made = {lower, upper, static_cast<Common>(bins.count) / (upper - lower), bins.count};
    return lower < upper && upper - lower <= (std::numeric_limits<Common>::max)() && made.bins_per_unit > 0 &&
           made.bins_per_unit <= (std::numeric_limits<Common>::max)();
  }
  __device__ void begin(int) {}
  __device__ __forceinline__ int operator()(const Sample& sample) const {
    const auto s = static_cast<Common>(sample);
    const int bin = ptx::truncate((s - lower) * bins_per_unit);
    return s >= lower && s < upper ? bin < count ? bin : count - 1 : count;
  }
};

/// The even bin of an integer: (sample - lower) * count / (upper - lower), exactly. With x = sample - lower and the
/// fraction f of count / range, rounded up to a multiple of 2^-64, floor(x * f) is right because x is too small for the
/// rounding to reach the next multiple of 1 / range.
template <class Sample, class Common>
  requires(std::is_integral_v<Common> && sizeof(Common) <= 4)
struct even_finder<Sample, Common> {
  std::uint32_t lower, range, whole, high, low;
  int count;

  template <class Level>
  static bool make(const even_bins<Level>& bins, even_finder& made) {
    const auto lower = static_cast<Common>(bins.lower), upper = static_cast<Common>(bins.upper);
    if (!(lower < upper) || is_negative(bins.lower) != is_negative(lower)) return false;
    const auto count = std::uint32_t(bins.count);
    const std::uint32_t range = std::uint32_t(upper) - std::uint32_t(lower);
    const std::uint64_t shifted = std::uint64_t{count % range} << 32, rest = shifted % range << 32;
    made = {std::uint32_t(lower), range, count / range, std::uint32_t(shifted / range),
            std::uint32_t(rest / range + (rest % range != 0)), bins.count};
    return true;
  }
  __device__ void begin(int) {}
  __device__ __forceinline__ int operator()(Sample sample) const {
    const std::uint32_t x = std::uint32_t(static_cast<Common>(sample)) - lower;
    const std::uint64_t parts = std::uint64_t{x} * high + __umulhi(x, low);
    const bool is_outside = !(x < range) || (loses_sign<Sample, Common> && is_negative(sample));
    return is_outside ? count : int(x * whole + std::uint32_t(parts >> 32));
  }
};

/// The same of 64 bits: the fraction is rounded down, which gives the bin or the one before it; the remainder tells.
template <class Sample, class Common>
  requires(std::is_integral_v<Common> && sizeof(Common) == 8)
struct even_finder<Sample, Common> {
  unsigned long long lower, range, fraction;
  std::uint32_t count, whole;

  template <class Level>
  static bool make(const even_bins<Level>& bins, even_finder& made) {
    const auto lower = static_cast<Common>(bins.lower), upper = static_cast<Common>(bins.upper);
    if (!(lower < upper) || is_negative(bins.lower) != is_negative(lower)) return false;
    const auto count = static_cast<unsigned long long>(bins.count);
    const auto range = static_cast<unsigned long long>(upper) - static_cast<unsigned long long>(lower);
    unsigned long long rest = count % range, fraction = 0;
    for (int bit = 0; bit < 64; ++bit) {  // long division; the remainder may need a 65th bit
      const bool fits = rest >= range - rest;
      rest = fits ? rest - (range - rest) : 2 * rest;
      fraction = 2 * fraction + fits;
    }
    made = {static_cast<unsigned long long>(lower), range, fraction, std::uint32_t(count), std::uint32_t(count / range)};
    return true;
  }
  __device__ void begin(int) {}
  __device__ __forceinline__ int operator()(Sample sample) const {
    const auto x = static_cast<unsigned long long>(static_cast<Common>(sample)) - lower;
    if (!(x < range) || (loses_sign<Sample, Common> && is_negative(sample))) return int(count);
    const unsigned long long bin = x * whole + __umul64hi(x, fraction);
    const unsigned long long product = x * count, below = bin * range, rest = product - below;
    const bool carries = __umul64hi(x, count) - __umul64hi(bin, range) - (product < below) != 0;
    return int(bin + (carries || rest >= range));
  }
};

/// The type that samples are compared with levels in: of 32-bit integers with and without sign, one that holds both.
template <class Sample, class Level>
using level_type = std::conditional_t<std::is_integral_v<Sample> && std::is_integral_v<Level> &&
                                          std::is_signed_v<Sample> != std::is_signed_v<Level> &&
                                          std::is_unsigned_v<bin_type<Sample, Level>>,
                                      std::int64_t, bin_type<Sample, Level>>;

/// The bin of a sample between levels, by binary search. Where there is room in shared memory, it begins between bounds:
/// equal cells over the whole range say which levels lie in each.
template <class Sample, class Level>
struct range_finder {
  using common = level_type<Sample, Level>;
  static_assert(!(std::is_signed_v<common> && sizeof(common) == 8 && std::is_unsigned_v<bin_type<Sample, Level>> &&
                  sizeof(bin_type<Sample, Level>) == 8),
                "gpuprim::histogram: 64-bit samples and levels must both be signed or both unsigned");
  using scalar = std::conditional_t<std::is_same_v<common, double> || sizeof(common) == 8, double, float>;

  const Level* levels;
  int count;
  int cells;  ///< 0: search all levels, where they are
  common first, last;
  scalar cells_per_unit;
  const common* near_levels;
  const unsigned* bounds;  ///< of each cell: levels below it, and with its own those below the next

  static bool make(const bin_ranges<Level>& bins, range_finder& made) {
    made = {};
    made.levels = bins.levels;
    made.count = bins.count;
    return bins.levels != nullptr;
  }

  /// Shared memory for the levels and for two cells a bin.
  std::int64_t bytes_nearby() const {
    return (std::int64_t{count} + 1) * std::int64_t(sizeof(common)) / 16 * 16 + 16 + std::int64_t{count} * 8;
  }

  /// All threads of the block call it before the first search, and meet before it.
  __device__ void begin(int shared_offset) {
    char* shared = dynamic_shared<char>() + shared_offset;
    first = static_cast<common>(levels[0]);
    last = static_cast<common>(levels[count]);
    if (cells == 0) return;
    cells_per_unit = scalar(cells) / distance(last);
    auto* to = reinterpret_cast<common*>(shared);
    auto* cell_bounds = reinterpret_cast<unsigned*>(shared + (std::int64_t{count} + 1) * sizeof(common) / 16 * 16 + 16);
    for (int i = int(threadIdx.x); i <= count; i += int(blockDim.x)) to[i] = static_cast<common>(levels[i]);
    __syncthreads();
    const auto levels_before = [&](int cell) {
      int low = 0, high = count + 1;
      while (low < high) {
        const int middle = (low + high) / 2;
        if (cell_of(to[middle]) < cell) low = middle + 1;
        else high = middle;
      }
      return unsigned(low);
    };
    for (int cell = int(threadIdx.x); cell < cells; cell += int(blockDim.x)) {
      cell_bounds[cell] = levels_before(cell) | levels_before(cell + 1) << 16;
    }
    near_levels = to;
    bounds = cell_bounds;
  }

  __device__ __forceinline__ int operator()(const Sample& sample) const {
    const auto s = static_cast<common>(sample);
    if (!(s >= first && s < last)) return count;
    if (cells == 0) return search(levels, s, 0, count + 1);
    const unsigned both = bounds[cell_of(s)];
    return search(near_levels, s, int(both & 0xffffu), int(both >> 16));
  }

 private:
  __device__ scalar distance(common s) const {
    if constexpr (std::is_integral_v<common>) {
      using bits = std::make_unsigned_t<common>;
      return scalar(bits(bits(s) - bits(first)));
    } else {
      return scalar(s - first);
    }
  }
  /// Never less for a greater sample, whatever the levels: that is all that the search relies on.
  __device__ int cell_of(common s) const {
    const scalar at = distance(s) * cells_per_unit, most = scalar(cells - 1);
    return at > 0 ? int(at < most ? at : most) : 0;
  }
  /// The last of the levels before `high` that is not above the sample, if none from `high` on is.
  template <class T>
  static __device__ __forceinline__ int search(const T* in, common s, int low, int high) {
    while (low < high) {
      const int middle = (low + high) / 2;
      if (static_cast<common>(in[middle]) <= s) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
};

}  // namespace detail

}  // namespace gpuprim
