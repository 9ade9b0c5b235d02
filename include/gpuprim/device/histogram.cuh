// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/histogram/histogram_call.cuh>

namespace gpuprim {

/// Bytes of workspace that a histogram needs, whatever its bins.
inline constexpr std::int64_t histogram_workspace_bytes = detail::histogram_state::bytes;

/// Counts how many of `n` samples lie in each bin: `counts[i]` becomes the number of those in bin i.
///
/// `bins` says which bins there are. `even_bins{count, lower, upper}`: of one width. An integer is in bin
/// (sample - lower) * count / (upper - lower), rounded down, which no overflow disturbs; a floating sample in bin
/// (sample - lower) * (count / (upper - lower)), each step rounded to the common type of samples and levels and the
/// result down, or in the last where that gives `count`. `bin_ranges{levels, count}`: between count + 1 levels that
/// never decrease, with which samples are compared exactly, or, of 64-bit integers and floats, in the floating type. A
/// sample outside of all bins and a NaN are not counted.
///
/// @pre   `in`: a pointer or a random-access iterator over integers, float, double, or 16-bit floats, which are taken
///        as float. `counts`: integers of 32 or 64 bits, apart from the input and the levels.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order does not matter; the result is the same in every run.
/// @cost  one launch, each sample read once, 16 bytes a load, if a block has shared memory for the bins: 4 bytes each,
///        and 20 more between levels of 4 bytes. For up to 3 times as many bins (9 times between levels) as many
///        launches, each of which reads all samples; for more, or from 16,384 bins on if there are less than 20 samples
///        for each (between levels from 4096 on and less than 16, of up to 2^19), two, which count most samples in
///        global memory. More than 8192 bins take a launch that sets them to zero. Levels that are far from evenly
///        spread cost a search.
/// @return cudaSuccess, or what went wrong; `counts` is untouched then. cudaErrorInvalidValue: null pointer, misaligned
///         input, negative or overflowing count, no bins, bounds that are not in order or have no finite width or
///         count / width, a negative bound for unsigned samples, counts that are seen to overlap the input, workspace
///         too small. n = 0 writes zeros.
/// @source Podlozhnyuk, "Histogram calculation in CUDA", 2007 (bins of each block); Gomez-Luna, Gonzalez-Linares,
///         Benavides and Guil, "An optimized approach to histogram computation on GPU", 2013 (copies of the bins).
/// @example examples/46_histogram.cu
template <class In, class Out, class Bins>
[[nodiscard]] cudaError_t histogram(In in, std::int64_t n, Out counts, Bins bins, const options& how = {}) {
  constexpr histogram_policy policy = detail::histogram_policy_for<In, Bins>;
  return detail::histogram_with<policy, 1>(in, n, std::array{counts}, std::array{bins}, how).code;
}

/// The same of each of the first channels of `pixels` pixels of `Channels` samples that lie side by side:
/// `histogram<4>(image, pixels, std::array{red, green, blue}, bins)` counts the first three of four. `bins` is one
/// description for all of them, or a std::array of one each.
template <int Channels, class In, class Out, std::size_t Active, class Bins>
[[nodiscard]] cudaError_t histogram(In in, std::int64_t pixels, std::array<Out, Active> counts,
                                    std::array<Bins, Active> bins, const options& how = {}) {
  return detail::histogram_with<detail::histogram_policy_for<In, Bins>, Channels>(in, pixels, counts, bins, how).code;
}
template <int Channels, class In, class Out, std::size_t Active, class Bins>
[[nodiscard]] cudaError_t histogram(In in, std::int64_t pixels, std::array<Out, Active> counts, Bins bins,
                                    const options& how = {}) {
  std::array<Bins, Active> each{};
  each.fill(bins);
  return histogram<Channels>(in, pixels, counts, each, how);
}

}  // namespace gpuprim
