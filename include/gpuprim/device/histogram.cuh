// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/histogram/histogram_call.cuh>

namespace gpuprim::inline v0_2_0 {

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
///        as float. n is a number or `element_count{pointer, most}`, one that lies in device memory: `in` has room for
///        the most then. `counts`: integers of 32 or 64 bits, apart from the input, the levels and n.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order does not matter; the result is the same in every run.
/// @cost  one launch, each sample read once, 16 bytes a load, if a block has shared memory for the bins: 4 bytes each,
///        and 20 more between levels of 4 bytes. Up to 3 times as many bins (9 times between levels) take as many
///        launches, each of which reads all samples. For more bins, and for many bins (64 KiB in shared memory) with
///        less than 20 samples for each, one launch counts in global memory. More than 8192 bins, several passes and
///        counting in global memory take a launch before that sets the counts to zero. Levels that are far from evenly
///        spread cost a search.
/// @return cudaSuccess, or what went wrong; `counts` is untouched then. cudaErrorInvalidValue: null pointer, misaligned
///         input, negative or overflowing count, no bins, bounds that are not in order or have no finite width or
///         count / width, a negative bound for unsigned samples of 32 or 64 bits, counts that are seen to overlap the
///         input, workspace too small. n = 0 writes zeros.
/// @source Podlozhnyuk, "Histogram calculation in CUDA", 2007 (bins of each block); Gomez-Luna, Gonzalez-Linares,
///         Benavides and Guil, "An optimized approach to histogram computation on GPU", 2013 (copies of the bins).
/// @example examples/library/46_histogram.cu
template <class In, detail::number_of_elements Count = element_count, class Out, class Bins>
[[nodiscard]] cudaError_t histogram(In in, Count n, Out counts, Bins bins, const options& how = {}) {
  return detail::count_histogram<1>(in, detail::as_count(n), std::array{counts}, std::array{bins}, how).report();
}

/// Counts each of the first channels of `pixels` pixels of `Channels` samples that lie side by side:
/// `histogram<4>(image, pixels, std::array{red, green, blue}, bins)` counts the first three of four. `bins` describes
/// the bins of all channels, or is a std::array with a description for each of them. What `histogram` of one channel
/// says holds here.
template <int Channels, class In, detail::number_of_elements Count = element_count, class Out, std::size_t Active,
          class Bins>
[[nodiscard]] cudaError_t histogram(In in, Count pixels, std::array<Out, Active> counts, Bins bins,
                                    const options& how = {}) {
  return detail::count_histogram<Channels>(in, detail::as_count(pixels), counts, bins, how).report();
}

/// The launch that counts the samples in `histogram` for the same arguments, to look at: the first of them if there are
/// several, and not one that only sets counts to zero. @throws gpuprim::cuda_error.
template <class In, class Out, class Bins>
[[nodiscard]] launch_plan histogram_plan(In in, std::int64_t n, Out counts, Bins bins) {
  return detail::plan_call("gpuprim::histogram_plan",
                           [&](const options& how) { return gpuprim::histogram(in, n, counts, bins, how); });
}
/// The launch for several channels, with bins for each of them in a std::array, or the same for all.
/// @throws gpuprim::cuda_error.
template <int Channels, class In, class Out, std::size_t Active, class Bins>
[[nodiscard]] launch_plan histogram_plan(In in, std::int64_t pixels, std::array<Out, Active> counts, Bins bins) {
  return detail::plan_call("gpuprim::histogram_plan", [&](const options& how) {
    return gpuprim::histogram<Channels>(in, pixels, counts, bins, how);
  });
}

}  // namespace gpuprim
