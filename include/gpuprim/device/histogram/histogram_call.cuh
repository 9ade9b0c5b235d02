// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/histogram/histogram_launch.cuh>

#include <array>

namespace gpuprim::inline v0_2_0::detail {

/// Checks the arguments, sets the channels up, and counts.
template <int Channels, class In, class Count, class Counter, std::size_t Active, class Bins>
outcome run_histogram(const In& in, const Count& count, const std::array<Counter*, Active>& counts,
                      const std::array<Bins, Active>& bins, const options& how) {
  const std::int64_t pixels = detail::most_of(count);
  using C = atomic_counter<Counter>;
  using Finder = typename finder_choice<input_value<In>, Bins>::type;
  if (pixels < 0) return {cudaErrorInvalidValue, "the count is negative"};
  if (pixels > (std::numeric_limits<std::int64_t>::max)() / Channels) {
    return {cudaErrorInvalidValue, "there are too many pixels"};
  }
  const std::int64_t n = pixels * Channels;
  if (outcome bad = detail::check_input(in, n); bad.code != cudaSuccess) return bad;
  if (outcome bad = detail::check_count(count, 0); bad.failed()) return bad;
  using read = std::conditional_t<std::is_same_v<Count, element_count>, counted_array<In>, In>;
  histogram_launch<Channels, In, C, Finder, read> all{{detail::make_histogram_input<Channels>(in, n), {}}, count};
  std::int64_t all_bins = 0;
  for (std::size_t i = 0; i < Active; ++i) {
    if (detail::is_absent(counts[i])) {
      return {cudaErrorInvalidValue, "the counts are a null pointer or in host memory"};
    }
    if (!detail::is_aligned(counts[i])) return misaligned_output;
    if (bins[i].count <= 0) return {cudaErrorInvalidValue, "there is no bin"};
    if constexpr (requires { bins[i].levels; }) {
      if (!detail::is_aligned(bins[i].levels)) {
        return {cudaErrorInvalidValue, "the levels are not aligned to their type"};
      }
    }
    // Slot 0 is the channel of the first packet's first sample.
    auto& slot = all.channels.slot[(int(i) + Channels - all.input.head % Channels) % Channels];
    if (!Finder::make(bins[i], slot.find)) {
      return {cudaErrorInvalidValue, "the levels are no bounds of bins, or in host memory"};
    }
    if (detail::overlap(counts[i], bins[i].count, in, n)) {
      return {cudaErrorInvalidValue, "the counts overlap the input"};
    }
    if (outcome bad = detail::check_count(count, bins[i].count, counts[i]); bad.failed()) return bad;
    slot.counts = reinterpret_cast<C*>(counts[i]);
    slot.bins = bins[i].count;
    all_bins += bins[i].count;
    if (all_bins >= (std::numeric_limits<int>::max)()) return {cudaErrorInvalidValue, "there are too many bins"};
  }
  return all.run(how);
}

/// Looks at the types, unwraps iterators, checks the arguments, and counts.
template <int Channels, class In, class Count, class Out, std::size_t Active, class Bins>
outcome count_histogram(const In& in, const Count& pixels, const std::array<Out, Active>& counts,
                        const std::array<Bins, Active>& bins, const options& how) {
  static_assert(random_access_input<In>, "gpuprim::histogram: the input must be a pointer or a random-access iterator");
  static_assert(Channels >= 1 && Channels <= 16 && Active >= 1 && Active <= Channels,
                "gpuprim::histogram: there are 1 to 16 channels, of which at least one and at most all are counted");
  using T = input_value<In>;
  static_assert(is_number<T>, "gpuprim::histogram: the samples must be numbers");
  using pointer = decltype(detail::unwrap_contiguous(counts[0]));
  using counter = std::remove_pointer_t<pointer>;
  constexpr bool is_counter =
      std::is_integral_v<counter> && !std::is_const_v<counter> && (sizeof(counter) == 4 || sizeof(counter) == 8);
  static_assert(std::is_pointer_v<pointer> && is_counter,
                "gpuprim::histogram: the counts must be a pointer to integers of 32 or 64 bits");
  std::array<pointer, Active> raw_counts{};
  for (std::size_t i = 0; i < Active; ++i) raw_counts[i] = detail::unwrap_contiguous(counts[i]);
  return detail::with_arrays(
      [&](auto raw) {
        return detail::run_histogram<Channels>(detail::as_constant(raw), pixels, raw_counts, bins, how);
      },
      in);
}

/// Counts all channels in the same bins.
template <int Channels, class In, class Count, class Out, std::size_t Active, class Bins>
outcome count_histogram(const In& in, const Count& pixels, const std::array<Out, Active>& counts, const Bins& bins,
                        const options& how) {
  std::array<Bins, Active> each{};
  each.fill(bins);
  return detail::count_histogram<Channels>(in, pixels, counts, each, how);
}

}  // namespace gpuprim::detail
