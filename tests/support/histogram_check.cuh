// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Histograms against sequential ones, with everything around them checked.
#include <gpuprim/histogram.cuh>

#include "family_check.cuh"

#include <algorithm>
#include <memory>

namespace test {

/// What a sample is compared as.
template <class Sample, class Level>
using compared = std::common_type_t<gpuprim::detail::widened<Sample>, gpuprim::detail::widened<Level>>;

/// The bin of a sample, or -1. Integers in 128 bits.
template <class Sample, class Level>
std::int64_t bin_of(Sample sample, const gpuprim::even_bins<Level>& bins) {
  using common = compared<Sample, Level>;
  if constexpr (std::is_integral_v<common>) {
    const __int128 lower = bins.lower, upper = bins.upper, s = sample;
    return s < lower || s >= upper ? -1 : std::int64_t((s - lower) * bins.count / (upper - lower));
  } else {
    const auto s = static_cast<common>(sample), lower = static_cast<common>(bins.lower);
    const auto upper = static_cast<common>(bins.upper);
    if (!(s >= lower && s < upper)) return -1;
    const common scale = common(bins.count) / (upper - lower), distance = s - lower;
    return std::min<std::int64_t>(std::int64_t(distance * scale), bins.count - 1);
  }
}
template <class Sample, class Level>
std::int64_t bin_of(Sample sample, const std::vector<Level>& levels) {
  std::int64_t below = 0;
  if constexpr (std::is_integral_v<Sample> && std::is_integral_v<Level>) {
    below = std::upper_bound(levels.begin(), levels.end(), sample,
                             [](Sample s, Level l) { return __int128(s) < __int128(l); }) -
            levels.begin();
  } else {
    using common = compared<Sample, Level>;
    below = std::upper_bound(levels.begin(), levels.end(), sample,
                             [](Sample s, Level l) { return !(static_cast<common>(s) >= static_cast<common>(l)); }) -
            levels.begin();
  }
  return below == std::int64_t(levels.size()) ? -1 : below - 1;
}

/// Counts the samples of one of several channels.
template <class Counter, class T, class Bins>
std::vector<Counter> expected_counts(const std::vector<T>& samples, const Bins& bins, std::size_t count,
                                     int channels = 1, int channel = 0) {
  std::vector<Counter> counts(count, 0);
  for (std::size_t i = std::size_t(channel); i < samples.size(); i += std::size_t(channels)) {
    const std::int64_t bin = bin_of(samples[i], bins);
    if (bin >= 0) ++counts[std::size_t(bin)];
  }
  return counts;
}

/// Counts twice with one workspace, over counts that hold something else.
template <class Counter, class T, class Bins, class Expected>
void check_bins(const std::vector<T>& samples, const Bins& bins, const Expected& expected,
                std::size_t misalignment = 0) {
  CAPTURE(samples.size(), bins.count, misalignment);
  device_array<T> input(samples, misalignment);
  device_array<Counter> output(static_cast<std::size_t>(bins.count));
  gpuprim::workspace workspace(gpuprim::histogram_workspace_bytes);
  const auto want = expected_counts<Counter>(samples, expected, std::size_t(bins.count));
  for (int repeat = 0; repeat < 2; ++repeat) {
    CUDA_OK(gpuprim::histogram(static_cast<const T*>(input.data()), std::int64_t(samples.size()), output.data(), bins,
                               {.workspace = &workspace}));
    CHECK(bool(output.download() == want));
  }
  output.check_guards();
  input.check_unchanged();
}

template <class Counter = unsigned, class T, class Level>
void check_even(const std::vector<T>& samples, gpuprim::even_bins<Level> bins, std::size_t misalignment = 0) {
  check_bins<Counter>(samples, bins, bins, misalignment);
}

template <class Counter = unsigned, class T, class Level>
void check_ranges(const std::vector<T>& samples, const std::vector<Level>& levels, std::size_t misalignment = 0) {
  device_array<Level> on_device(levels);
  const gpuprim::bin_ranges bins{static_cast<const Level*>(on_device.data()), int(levels.size()) - 1};
  check_bins<Counter>(samples, bins, levels, misalignment);
  on_device.check_unchanged();
}

/// `bins` levels + 1, between -0.5 and 0.5 or from 0 on; the distances grow.
template <class T>
std::vector<T> make_levels(int bins) {
  std::vector<T> levels;
  for (std::int64_t i = 0; i <= bins; ++i) {
    if constexpr (std::is_integral_v<T>) levels.push_back(T(i * i));
    else levels.push_back(T(i) * T(i) / (T(bins) * T(bins)) - T(0.5));
  }
  return levels;
}

/// Samples of all magnitudes around zero for which integers have bits; floating ones from -1 to 1, some special.
template <class T>
std::vector<T> make_samples(std::int64_t n) {
  std::vector<T> samples;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = std::uint64_t{scramble(std::uint64_t(2 * i))} << 32 | scramble(std::uint64_t(2 * i + 1));
    if constexpr (std::is_integral_v<T>) {
      samples.push_back(T(T(bits) >> (i % 3 == 0 ? 0 : i % int(8 * sizeof(T)))));
    } else {
      const float x = float(std::int32_t(bits)) * 0x1p-31f;
      const float special[] = {-1.0f,
                               1.0f,
                               0.0f,
                               std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity()};
      samples.push_back(T(i % 16 < 6 && i % 7 == 0 ? special[i % 16] : x));
    }
  }
  return samples;
}

}  // namespace test
